import { expect, test } from "vitest";
import { clientSuite } from "../client/suite.ts";
import { receiverSuite } from "../receiver/suite.ts";
import { serverSuite } from "../server-suite.ts";
import { clientLessons } from "./client.ts";
import { receiverLessons } from "./receiver.ts";
import { serverLessons } from "./server.ts";

const groupOf = (id: string) => id.split(".")[0] ?? "";

test.each([
  ["server", serverSuite(), serverLessons],
  ["receiver", receiverSuite(), receiverLessons],
  ["client", clientSuite(), clientLessons],
] as const)(
  "every group of checks on a %s has its lesson, and every lesson its group",
  (_, suite, lessons) => {
    const groups = new Set(suite.checks.map(({ id }) => groupOf(id)));
    expect(Object.keys(lessons).toSorted()).toEqual([...groups].toSorted());
  },
);
