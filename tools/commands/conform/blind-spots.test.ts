import { expect, test } from "vitest";
import { CLAIMS } from "../../../suites/core/contract/claims.ts";
import { blindSpots } from "./blind-spots.ts";

const one = { client_id: "pos-1", client_secret: "s" };
const given = { control: undefined, credentials: [one, one], pairingCodes: ["A1B2C3"] };

test("with a control interface, or with all that the API needs, nothing is said", () => {
  const control = { url: "http://service/control", token: "t" };
  expect(blindSpots({ control, credentials: [], pairingCodes: [] }, CLAIMS)).toBeUndefined();
  expect(blindSpots(given, ["api"])).toBeUndefined();
});

test("one line names what can't be seen, and what would show it", () => {
  const line = blindSpots({ ...given, credentials: [one], pairingCodes: [] }, CLAIMS);
  for (const words of ["couriers", "--control-url", "second pair", "--pairing-code", "--claims api"]) {
    expect(line).toContain(words);
  }
  expect(line).not.toContain("\n");
});

test("what isn't claimed isn't missed", () => {
  expect(blindSpots({ ...given, credentials: [one] }, ["api"])).not.toContain("couriers");
});
