import { describe, expect, test } from "vitest";
import type { ClauseId } from "../../../openapi/generated/clauses.ts";
import { breaking } from "../../../suites/core/mutation/breaks.ts";
import { serverGuidance } from "../../../suites/server/guidance.ts";
import { diagnosesOf, fitLabel } from "./diagnosis.ts";
import type { Ended } from "./fault-candidates.ts";
import { faultsNotRuledOut, type KnownFaults, knownFaultsFile, knownServerFaults } from "./known-faults.ts";
import { usualCausesHeading, usualCausesOf } from "./usual-causes.ts";

const CLAUSES: Readonly<Record<string, readonly ClauseId[]>> = {
  "signatures.of-events": ["SIGN-1", "SIGN-3"],
  "signatures.of-the-bytes": ["SIGN-2"],
  "paging.order": ["LIST-5"],
  "quotes.same-fee": ["QUOTE-13"],
  "tokens.type": ["TOKEN-2"],
};

type Failures = Readonly<Record<string, Partial<Ended>>>;

/** A run of all checks in which these failed. */
const failing = (failures: Failures): readonly Ended[] =>
  Object.entries(CLAUSES).map(([id, clauses]) => ({
    id,
    clauses,
    status: failures[id] === undefined ? "passed" : "failed",
    ...failures[id],
  }));

const FAULTS: KnownFaults = {
  undecoded: {
    fault: "the key is the secret's text",
    breaks: [{ clause: "SIGN-1" }, { clause: "SIGN-3" }, { clause: "SIGN-2" }],
  },
  ascii: { fault: "non-ASCII text is signed as question marks", breaks: [{ clause: "SIGN-2" }] },
  newest: { fault: "the list is newest first", breaks: [{ clause: "LIST-5" }] },
  types: {
    fault: "tokens have no type",
    breaks: [{ clause: "TOKEN-2" }, { clause: "LIST-5" }, { clause: "QUOTE-13" }],
  },
};
const named = (failures: Failures, faults: KnownFaults = FAULTS) => diagnosesOf(failing(failures), faults);
const mutantsOf = (...run: Parameters<typeof named>) => named(...run).map(({ mutant }) => mutant);

const BOTH_SIGNATURES = { "signatures.of-events": {}, "signatures.of-the-bytes": {} };

describe("a diagnosis of a run", () => {
  test("names the fault that explains most failures, with their share", () => {
    const [first] = named(BOTH_SIGNATURES);
    expect(first).toMatchObject({ mutant: "undecoded", failing: 2 });
    expect(first && fitLabel(first)).toBe("all 2 failing checks");
  });

  test("names no fault that a passed check would catch", () => {
    const checks = [
      { id: "paging.order", clauses: ["LIST-4", "LIST-5"] },
      { id: "tokens.type", clauses: ["TOKEN-2"] },
    ];
    expect(Object.keys(faultsNotRuledOut(FAULTS, checks, new Set(["paging.order"])))).toEqual([
      "undecoded",
      "ascii",
    ]);
  });

  test("names no fault that breaks a passed clause", () => {
    expect(mutantsOf({ "signatures.of-events": {} })).toEqual([]);
    expect(mutantsOf({ "signatures.of-the-bytes": {} })).toEqual(["ascii"]);
    expect(mutantsOf({ "paging.order": {} })).toEqual(["newest"]);
  });

  test("ignores clauses that no check reached", () => {
    const ended = failing({
      "tokens.type": {},
      "paging.order": {},
      "quotes.same-fee": { status: "blocked" },
    });
    expect(diagnosesOf(ended, FAULTS)[0]).toMatchObject({ mutant: "types", failing: 2 });
  });

  test("names no fault of single cases if the clause fails in others too", () => {
    const faults: KnownFaults = {
      last: { fault: "the last page is out of order", breaks: [{ clause: "LIST-5", case: "the last page" }] },
    };
    const at = (...failed: readonly string[]) => ({ cases: { failed, held: [], not_reached: [] } });
    const also = { "tokens.type": { clauses: ["LIST-5"], ...at("the last page") } };
    const namedWith = (...failed: readonly string[]) =>
      named({ ...also, "paging.order": at(...failed) }, faults).length;
    expect(namedWith("the last page")).toBe(1);
    expect(namedWith("the first page", "the last page")).toBe(0);
  });

  test("uses the results of a check's single clauses", () => {
    const clause_findings = { failed: ["SIGN-2"], held: ["SIGN-3"], not_reached: [] };
    const partly = { clauses: ["SIGN-2", "SIGN-3"], clause_findings } as const;
    expect(mutantsOf({ ...BOTH_SIGNATURES, "signatures.of-events": partly })).toEqual(["ascii"]);
  });

  test.each<[string, Partial<Ended>]>([
    ["a balancer's 502 replaces the response", { actual: "502" }],
    ["a balancer's 503 replaces the response", { actual: "503" }],
    ["no answer came", { actual: "no response" }],
    ["the failure names its fault itself", { fault: "webhooks are signed in hex" }],
    ["the set-up of many checks failed", { set_up: true }],
    ["the operation isn't built", { absent: true, operation: "listDeliveries" }],
  ])("names no fault if %s", (_, detail) => {
    expect(mutantsOf({ "paging.order": {} })).toEqual(["newest"]);
    expect(mutantsOf({ "paging.order": detail })).toEqual([]);
  });

  test("names no wrong value if the actual value is another one", () => {
    const faults: KnownFaults = {
      gone: { fault: "an unknown cursor returns 410", breaks: [{ clause: "LIST-5" }], actual: "410" },
    };
    expect(mutantsOf({ "paging.order": { actual: "410 BULUNAMADI" } }, faults)).toEqual(["gone"]);
    expect(mutantsOf({ "paging.order": { actual: "500 SUNUCU_HATASI" } }, faults)).toEqual([]);
  });

  test("names no missing value if there is an actual value", () => {
    const faults: KnownFaults = {
      none: { fault: "errors have no details", breaks: [{ clause: "LIST-5" }], actual: "undefined" },
    };
    expect(mutantsOf({ "paging.order": {} }, faults)).toEqual(["none"]);
    expect(mutantsOf({ "paging.order": { actual: "{ delivery_id: '1' }" } }, faults)).toEqual([]);
  });

  test("names only the fault with the wrong value, if faults with others break the clause too", () => {
    const breaks = [{ clause: "LIST-5" as const }];
    const faults: KnownFaults = {
      old: { fault: "the courier's position is an old one", breaks },
      none: { fault: "the courier is missing", breaks, actual: "undefined" },
    };
    expect(mutantsOf({ "paging.order": {} }, faults)).toEqual(["none"]);
    expect(mutantsOf({ "paging.order": { actual: "41.0102" } }, faults)).toEqual(["old"]);
  });

  test("names no fault for failures at a missing operation", () => {
    const operation = "listDeliveries";
    expect(mutantsOf({ "tokens.type": { absent: true, operation }, "paging.order": { operation } })).toEqual(
      [],
    );
  });

  test("names no fault of a SHOULD clause if a MUST fails", () => {
    expect(mutantsOf({ "paging.order": { severity: "SHOULD" }, "tokens.type": {} })).toEqual([]);
    expect(mutantsOf({ "paging.order": { severity: "SHOULD" } })).toEqual(["newest"]);
  });

  test("names no fault that explains only half of the failures", () => {
    expect(mutantsOf({ "paging.order": {}, "signatures.of-the-bytes": {} })).toEqual([]);
  });

  test("names no fault if more failures name their own fault", () => {
    const hex = { fault: "webhooks are signed in hex" };
    const [first] = named({ "paging.order": {}, "signatures.of-the-bytes": hex });
    expect(first && fitLabel(first)).toBe("1 of the 2 failing checks");
    expect(
      mutantsOf({ "paging.order": {}, "signatures.of-the-bytes": hex, "signatures.of-events": hex }),
    ).toEqual([]);
  });

  test("names no fault for a failure with random input alone", () => {
    expect(mutantsOf({ "paging.order": { counterexample: "create A" } })).toEqual([]);
  });
});

describe("cases", () => {
  const zones: KnownFaults = {
    all: { fault: "times lose their zone", breaks: [{ clause: "QUOTE-13" }] },
    from: { fault: "created_from loses its zone", breaks: breaking("created_from", "QUOTE-13") },
    both: {
      fault: "filters lose their zone",
      breaks: breaking(["created_from", "created_to"], "QUOTE-13"),
    },
  };
  const failedAt = (failed: readonly string[], held: readonly string[]) =>
    mutantsOf({ "quotes.same-fee": { cases: { failed, held, not_reached: [] } } }, zones);

  test("matches failures at some cases with faults at the same cases, or at some of them", () => {
    expect(failedAt(["created_from"], ["created_to"])).toEqual(["from"]);
    expect(failedAt(["created_from", "created_to"], ["from"])).toEqual(["both"]);
    expect(failedAt(["from"], ["created_from", "created_to"])).toEqual([]);
  });

  test("matches failures at all cases with faults at all cases", () => {
    expect(failedAt(["from", "created_from"], [])).toEqual(["all"]);
  });

  test("compares the failure's field if there are no cases", () => {
    const at = (field: string) => mutantsOf({ "quotes.same-fee": { field } }, zones);
    expect(at("created_from")).toEqual(["from"]);
    expect(at("filter.created_to")).toEqual(["both"]);
    expect(at("updated_at")).toEqual(["all"]);
  });
});

test("prefers faults that the failed checks catch, among those that explain equally many failures", () => {
  const alike: KnownFaults = {
    one: { fault: "fees differ", breaks: [{ clause: "QUOTE-13" }], caughtBy: ["quotes.same-road"] },
    other: { fault: "fees grow", breaks: [{ clause: "QUOTE-13" }] },
  };
  expect(mutantsOf({ "quotes.same-fee": {} }, alike)).toEqual(["other"]);
});

test("prefers faults that the failed checks without random input catch", () => {
  const clauses = ["QUOTE-13"] as const;
  const breaks = [{ clause: "QUOTE-13" as const }];
  const faults: KnownFaults = {
    digits: { fault: "fees lose their digits", breaks, caughtBy: ["tokens.type"] },
    fixed: { fault: "fees are fixed", breaks, caughtBy: ["quotes.same-fee"] },
  };
  expect(
    mutantsOf({ "quotes.same-fee": {}, "tokens.type": { clauses, counterexample: "a quote" } }, faults),
  ).toEqual(["fixed"]);
});

test("prefers faults that no check without a result catches", () => {
  const breaks = [{ clause: "QUOTE-13" as const }];
  const faults: KnownFaults = {
    again: { fault: "fees differ later", breaks, caughtBy: ["quotes.same-fee", "paging.order"] },
    fixed: { fault: "fees are fixed", breaks, caughtBy: ["quotes.same-fee"] },
  };
  expect(mutantsOf({ "quotes.same-fee": {}, "paging.order": { status: "not_verified" } }, faults)).toEqual([
    "fixed",
  ]);
});

test("names none if more than three faults explain a run equally well", () => {
  const alike = (count: number): KnownFaults =>
    Object.fromEntries(
      Array.from({ length: count }, (_, id) => [
        `m${id}`,
        { fault: `fees differ by ${id}`, breaks: [{ clause: "QUOTE-13" as const }] },
      ]),
    );
  expect(named({ "quotes.same-fee": {} }, alike(3))).toHaveLength(3);
  expect(named({ "quotes.same-fee": {} }, alike(4))).toEqual([]);
});

test("names a fault of several mutants once", () => {
  const breaks = [{ clause: "QUOTE-13" as const }];
  const alike = { one: { fault: "fees differ", breaks }, other: { fault: "fees differ", breaks } };
  expect(mutantsOf({ "quotes.same-fee": {} }, alike)).toEqual(["one"]);
});

describe("usual causes", () => {
  const usual = (failures: Failures) => usualCausesOf(failing(failures), serverGuidance);

  test("come from the guidance on the group of all failures", () => {
    const found = usual(BOTH_SIGNATURES);
    expect(found?.causes.join()).toContain("decoded from base64");
    expect(found && usualCausesHeading(found)).toBe("Usual causes of failures in signatures.*:");
  });

  test("are left out if another group has failures", () => {
    expect(usual({ ...BOTH_SIGNATURES, "paging.order": {} })).toBeUndefined();
  });

  test("are left out if less than half of the group's checks failed", () => {
    const passed = ["signatures.headers", "signatures.of-tests"].map(
      (id): Ended => ({ id, clauses: ["SIGN-4"], status: "passed" }),
    );
    const ended = [...failing({ "signatures.of-events": {} }), ...passed];
    expect(usualCausesOf(ended, serverGuidance)).toBeUndefined();
    expect(usualCausesOf([...failing(BOTH_SIGNATURES), ...passed], serverGuidance)).toBeDefined();
  });

  test("are left out if nothing failed", () => expect(usual({})).toBeUndefined());
});

test("the file contains each fault with its clauses and cases, but not its code", async () => {
  const faults = await knownServerFaults();
  const written: unknown = JSON.parse(knownFaultsFile(faults));
  expect(Object.keys(Object(written))).toEqual(Object.keys(faults));
  expect(written).toMatchObject({
    "store-id-is-no-uuid": { fault: "a store's id has a prefix", breaks: [{ clause: "STORE-3" }] },
  });
  expect(Object.values(faults).filter(({ breaks, fault }) => breaks.length === 0 || !fault.trim())).toEqual(
    [],
  );
});
