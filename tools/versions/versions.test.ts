import { expect, test } from "vitest";
import { callCli } from "../testing/processes/cli-in-process.ts";
import { asOfVersion, PRESENT_VERSION, sinceVersions, versionOf } from "./versions.ts";

const line = (id: string, clauses: string): string => `${id}: api; ${clauses}; needs nothing in particular`;
const first = versionOf("0.9", [line("a.one", "A-1 (MUST)"), line("a.gone", "A-1 (MUST)")].join("\n"));
const second = versionOf("0.10", [line("a.one", "A-1 (MUST)"), line("a.two", "A-2 (SHOULD)")].join("\n"));
const released = [first, second];

test("a check's `since` is the first version that has it, or the current one", () => {
  const since = sinceVersions(released, "0.11");
  expect(["a.one", "a.two", "a.three"].map(since)).toEqual(["0.9", "0.10", "0.11"]);
});

test("what the present version has frozen doesn't make its own checks older", () => {
  expect(["a.one", "a.two"].map(sinceVersions(released, "0.10"))).toEqual(["0.9", "0.10"]);
});

test.each([
  ["0.9", "0.9"],
  ["0.9.4", "0.9"],
  ["0.10", "0.10"],
  ["previous", "0.10"],
  ["0.11", undefined],
  ["0.11.0", undefined],
])("--as-of %s is %s", (wanted, name) => {
  expect(asOfVersion(wanted, { released, present: "0.11" })?.name).toBe(name);
});

test("previous stays within the major version", () => {
  expect(asOfVersion("previous", { released, present: "1.0" })).toBeUndefined();
});

test.each(["0.1", "0.99", "v0.9", "", "newest", "0.9.x"])(
  "--as-of %j names the versions there are",
  (wanted) => {
    expect(() => asOfVersion(wanted, { released, present: "0.11" })).toThrow(
      `--as-of ${wanted}: there is no such version; there are 0.9, 0.10, 0.11 (this one) and previous`,
    );
  },
);

test.each(["conform", "receiver", "client"])(
  "%s: a version that there isn't ends in one line",
  async (command) => {
    const given = { conform: [], receiver: ["--url", "http://127.0.0.1:9"], client: [] }[command] ?? [];
    const { code, stderr } = await callCli([command, ...given, "--as-of", "99.9"]);
    expect(code).toBe(3);
    expect(stderr.trim().split("\n")).toEqual([
      expect.stringContaining(
        `there is no such version; there are ${PRESENT_VERSION} (this one) and previous`,
      ),
    ]);
  },
);
