import { expect, test } from "vitest";
import { callCli } from "../testing/processes/cli-in-process.ts";
import { asOfVersion, CURRENT_VERSION, sinceVersions, versionOf } from "./versions.ts";

const line = (id: string, clauses: string): string => `${id}: api; ${clauses}; needs nothing in particular`;
const first = versionOf("0.9", [line("a.one", "A-1 (MUST)"), line("a.gone", "A-1 (MUST)")].join("\n"));
const second = versionOf("0.10", [line("a.one", "A-1 (MUST)"), line("a.two", "A-2 (SHOULD)")].join("\n"));
const released = [first, second];

test("a check's `since` is the first version that has it, or the current one", () => {
  const since = sinceVersions(released, "0.11");
  expect(["a.one", "a.two", "a.three"].map(since)).toEqual(["0.9", "0.10", "0.11"]);
});

test("the frozen list of the current version doesn't change `since`", () => {
  expect(["a.one", "a.two"].map(sinceVersions(released, "0.10"))).toEqual(["0.9", "0.10"]);
});

test.each([
  ["0.9", "0.9"],
  ["0.9.4", "0.9"],
  ["0.10", "0.10"],
  ["previous", "0.10"],
  ["0.11", undefined],
  ["0.11.0", undefined],
])("--as-of %s is %s", (value, name) => {
  expect(asOfVersion(value, { released, current: "0.11" })?.name).toBe(name);
});

test("previous stays within the major version", () => {
  expect(asOfVersion("previous", { released, current: "1.0" })).toBeUndefined();
});

test.each(["0.1", "0.99", "v0.9", "", "newest", "0.9.x"])(
  "--as-of %j is refused with the list of versions",
  (value) => {
    expect(() => asOfVersion(value, { released, current: "0.11" })).toThrow(
      `--as-of ${value}: there is no such version; choose 0.9, 0.10, 0.11 (this version) or previous`,
    );
  },
);

test.each(["conform", "receiver", "client"])(
  "%s: an unknown version is an error in one line",
  async (command) => {
    const given = { conform: [], receiver: ["--url", "http://127.0.0.1:9"], client: [] }[command] ?? [];
    const { code, stderr } = await callCli([command, ...given, "--as-of", "99.9"]);
    expect(code).toBe(3);
    expect(stderr.trim().split("\n")).toEqual([
      expect.stringContaining(
        `there is no such version; choose ${CURRENT_VERSION} (this version) or previous`,
      ),
    ]);
  },
);
