import { expect, test } from "vitest";
import { clientSuite } from "../../../suites/client/suite.ts";
import { declarableLines } from "./declarable.ts";

const reportWith = (status: "passed" | "not_verified") => ({
  checks: clientSuite().checks.map(({ id }) => ({
    id,
    status: id === "orders.no-zero-point" ? status : ("passed" as const),
  })),
});

test("a run without an order without coordinates suggests the declaration, with the command", () => {
  const lines = declarableLines(clientSuite(), reportWith("not_verified"), "npm run client -- --seed 7");
  expect(lines).toEqual([
    "If the following is true, declare it: The client sends coordinates with every order.\n" +
      "  npm run client -- --seed 7 --without orders-without-coordinates -- YOUR-CLIENT-COMMAND",
  ]);
});

test("a run with such an order suggests nothing", () => {
  expect(declarableLines(clientSuite(), reportWith("passed"), "npm run client --")).toEqual([]);
});
