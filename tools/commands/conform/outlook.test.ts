import { expect, test } from "vitest";
import { serverSuite } from "../../../suites/server/suite.ts";
import { outlookOf } from "./conform.ts";

const { checks } = serverSuite();
const near = { latencyMs: 2, jobs: 16 };
const credentials = { client_id: "pos", client_secret: "a-secret" };

test.for([
  [
    "one integrator",
    [credentials],
    /^latency 2 ms; about 1\d\d s, 120 s of them for the limit of 1,200 requests a minute of one integrator$/,
  ],
  [
    "two",
    [credentials, credentials],
    /^latency 2 ms; about \d\d s, 60 s of them for the limit of 1,200 requests a minute of 2 integrators$/,
  ],
] as const)("a run with the credentials of %s says how long it waits for the limit", ([, given, line]) => {
  const settings = { control: undefined, credentials: given, pairingCodes: ["a-code"] };
  expect(outlookOf({ selected: checks }, settings, near)).toMatch(line);
});

test("a short run says nothing", () => {
  const settings = { control: undefined, credentials: [credentials], pairingCodes: [] };
  expect(outlookOf({ selected: checks.slice(0, 10) }, settings, near)).toBeUndefined();
});
