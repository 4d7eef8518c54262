import { describe, expect, test } from "vitest";
import {
  readSignatures,
  type SignatureDictionary,
  withSignature,
} from "../../suites/core/signing/signatures.ts";
import { serverGuidance } from "../../suites/server/guidance.ts";
import { serverSuite } from "../../suites/server/suite.ts";
import { diagnosesOf, fitLabel } from "./diagnosis.ts";

const checks = [
  "signatures.of-events",
  "signatures.of-the-bytes",
  "paging.order",
  "quotes.same-fee",
  "tokens.type",
];
const failing = (...ids: readonly string[]) =>
  checks.map((id) => ({ id, status: ids.includes(id) ? "failed" : "passed" }) as const);

const EMPTY: SignatureDictionary = { checks: [], mutants: {} };
const dictionary = [
  ["undecoded", "the key is the secret's text", "signatures.of-events", "signatures.of-the-bytes"],
  ["ascii", "non-ASCII text is signed as question marks", "signatures.of-the-bytes"],
  ["newest", "the list is newest first", "paging.order"],
  ["types", "tokens have no type", "tokens.type", "paging.order", "quotes.same-fee"],
].reduce(
  (known, [id = "", fault = "", ...failed]) =>
    withSignature(known, id, {
      fault,
      statuses: Object.fromEntries(failing(...failed).map(({ id: check, status }) => [check, status])),
    }),
  EMPTY,
);
const named = (ended: Parameters<typeof diagnosesOf>[0]) => diagnosesOf(ended, dictionary, serverGuidance);

describe("what a run looks like", () => {
  test("the fault whose whole pattern it is stands first, with how well it fits and what is usually behind it", () => {
    const [first] = named(failing("signatures.of-events", "signatures.of-the-bytes"));
    expect(first).toMatchObject({ mutant: "undecoded", failing: 2, besides: 0 });
    expect(first && fitLabel(first)).toBe("all 2 failing checks, none besides");
    expect(first?.causes.join()).toContain("decoded from base64");
  });

  test("a fault that would fail more is named with that", () => {
    const [first] = named(failing("tokens.type", "paging.order"));
    expect(first && fitLabel(first)).toBe("all 2 failing checks; 1 more fail there");
  });

  test("a check that didn't come to its end speaks neither for a fault nor against it", () => {
    const ended = failing("tokens.type", "paging.order").map((check) =>
      check.id === "quotes.same-fee" ? ({ ...check, status: "blocked" } as const) : check,
    );
    expect(named(ended)[0]).toMatchObject({ mutant: "types", besides: 0 });
  });

  test("without a fit there is no guess", () => {
    expect(named(failing("quotes.same-fee"))).toEqual([]);
    expect(named(failing())).toEqual([]);
  });

  test("where more fit alike than one looks through, none is named", () => {
    const alike = Array.from({ length: 7 }, (_, index) => `alike-${index}`).reduce(
      (known, id) =>
        withSignature(known, id, { fault: "one of many", statuses: { "quotes.same-fee": "failed" } }),
      dictionary,
    );
    expect(diagnosesOf(failing("quotes.same-fee"), alike, serverGuidance)).toEqual([]);
  });
});

test("the dictionary that is kept speaks of checks and faults that there are, and of each fault once", () => {
  const kept = readSignatures();
  const known = new Set<string>(serverSuite().checks.map(({ id }) => id));
  const faults = Object.values(kept.mutants);
  expect(faults.length).toBeGreaterThan(900);
  expect(faults.filter(({ fault }) => fault.trim() === "")).toEqual([]);
  expect(faults.filter(({ failed }) => failed.some((place) => kept.checks[place] === undefined))).toEqual([]);
  expect(kept.checks.filter((id) => !known.has(id))).toEqual([]);
});
