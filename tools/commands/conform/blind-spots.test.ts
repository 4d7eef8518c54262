import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { CLAIMS } from "../../../suites/core/contract/claims.ts";
import { ENOUGH_PAIRING_CODES } from "../../../suites/server/session/stores/stores.ts";
import { blindSpots } from "./blind-spots.ts";

const one = { client_id: "pos-1", client_secret: "s" };
const given = { control: undefined, credentials: [one, one], pairingCodes: ["A1B2C3"] };

test("with a control interface, or with everything that the api level needs, there is no line", () => {
  const control = { url: "http://service/control", token: "t" };
  expect(blindSpots({ control, credentials: [], pairingCodes: [] }, CLAIMS)).toBeUndefined();
  expect(blindSpots(given, ["api"])).toBeUndefined();
});

test("one line names what can't be verified, and what would verify it", () => {
  const line = blindSpots({ ...given, credentials: [one], pairingCodes: [] }, CLAIMS);
  for (const words of [
    "couriers",
    "--control-url",
    "second integrator's credentials",
    "--pairing-code",
    "--claims api",
  ]) {
    expect(line).toContain(words);
  }
  expect(line).not.toContain("\n");
});

test("what isn't claimed isn't missed", () => {
  expect(blindSpots({ ...given, credentials: [one] }, ["api"])).not.toContain("couriers");
});

test("the flag's text and the line name the same number of pairing codes", () => {
  const enough = `${ENOUGH_PAIRING_CODES} are enough`;
  expect(blindSpots({ ...given, pairingCodes: [] }, ["api"])).toContain(`--pairing-code; ${enough}`);
  const guide = readFileSync("docs/certify-a-server.md", "utf8");
  expect(guide).toContain(`up to ${ENOUGH_PAIRING_CODES} unused codes`);
  const listed = /^pairing_codes: \[(.+)\]$/m.exec(guide)?.[1];
  expect(listed?.split(", ")).toHaveLength(ENOUGH_PAIRING_CODES);
});
