import { describe, expect, test } from "vitest";
import {
  readSignatures,
  type SignatureDictionary,
  withNamed,
  withSignature,
  withWords,
} from "../../../suites/core/mutation/signatures.ts";
import { serverGuidance } from "../../../suites/server/guidance.ts";
import { serverSuite } from "../../../suites/server/suite.ts";
import { aReport } from "../testing/sample-report.ts";
import { diagnosesOf, fitLabel, othersLabel } from "./diagnosis.ts";

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
const named = (
  ended: Parameters<typeof diagnosesOf>[0],
  causes: Parameters<typeof diagnosesOf>[3] = [],
  known = dictionary,
) => diagnosesOf(ended, known, serverGuidance, causes);

describe("what a run looks like", () => {
  test("the fault whose whole pattern it is stands first, with how well it fits and what is usually behind it", () => {
    const [first] = named(failing("signatures.of-events", "signatures.of-the-bytes"));
    expect(first).toMatchObject({ mutant: "undecoded", failing: 2, besides: 0 });
    expect(first && fitLabel(first)).toBe("all 2 failing checks, none besides");
    expect(first?.causes.join()).toContain("decoded from base64");
  });

  test.each(["502", "503", "504"])("a check that a balancer's %s ended tells of no fault", (actual) => {
    const ended = failing("signatures.of-events", "signatures.of-the-bytes");
    expect(named(ended.map((check) => ({ ...check, actual })))).toEqual([]);
    expect(named(ended.map((check) => ({ ...check, actual: `${actual} HIZ_SINIRI` })))).not.toEqual([]);
  });

  test("what gave no answer tells of no fault, and what names its fault isn't guessed at", () => {
    const ended = failing("signatures.of-events", "signatures.of-the-bytes");
    expect(named(ended)).not.toEqual([]);
    expect(named(ended.map((check) => ({ ...check, actual: "no answer" })))).toEqual([]);
    expect(named(ended.map((check) => ({ ...check, fault: "webhooks are signed in hex" })))).toEqual([]);
  });

  test("checks that what they build on couldn't be set up for tell of no fault", () => {
    const ended = failing("signatures.of-events", "signatures.of-the-bytes");
    expect(named(ended.map((check) => ({ ...check, set_up: true })))).toEqual([]);
  });

  test("a fault that would fail more isn't named: what passed speaks against it", () => {
    expect(named(failing("tokens.type", "paging.order"))).toEqual([]);
  });

  test("where a check held at some of several, a fault has to name one at which it failed", () => {
    const zones = ["the offset of created_from is dropped", "only the hours count"].reduce(
      (known, fault) => withNamed(known, fault, { fault, naming: ["quotes.same-fee"] }),
      EMPTY,
    );
    const at = (place: string) =>
      named(
        failing("quotes.same-fee").map((one) => ({ ...one, at: place })),
        [],
        zones,
      ).map(({ fault }) => fault);
    expect(at("1 of 2 times: created_from; held at created_to")).toEqual([
      "the offset of created_from is dropped",
    ]);
    expect(at("4 of 11 zones: -12:00, -03:30; held at Z, +05:30")).toEqual([]);
    expect(at("2 of 2 times: created_from, created_to")).toHaveLength(2);
  });

  test("a fault of whose checks few were run can't be told from others, however well it fits those", () => {
    const types = failing("paging.order").filter(({ id }) => id === "paging.order");
    const newest = withSignature(EMPTY, "types", {
      fault: "tokens have no type",
      statuses: { "paging.order": "failed", "tokens.type": "failed", "quotes.same-fee": "failed" },
    });
    expect(named(types, [], newest)).toEqual([]);
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

  test("one failing check tells the faults that it fails on and nothing else, and how many more there are", () => {
    expect(named(failing("paging.order")).map(({ mutant }) => mutant)).toEqual(["newest"]);
    const alike = ["a", "b", "c", "d", "e"].reduce(
      (known, id) => withNamed(known, id, { fault: `fees differ by ${id}`, naming: ["quotes.same-fee"] }),
      dictionary,
    );
    const told = named(failing("quotes.same-fee"), [], alike);
    expect(told).toHaveLength(3);
    expect(told[0] && fitLabel(told[0])).toBe("the failing check; it was never run on all checks");
    expect(othersLabel(told)).toContain("one of 2 more");
    const { e: _, ...four } = alike.mutants;
    expect(othersLabel(named(failing("quotes.same-fee"), [], { ...alike, mutants: four }))).toContain(
      "one more that",
    );
  });

  describe("where it is known what failures say", () => {
    const saying = (words: Readonly<Record<string, string>>) =>
      Object.entries(words).reduce(
        (known, [id, said]) =>
          withWords(
            withNamed(known, id, { fault: `fees differ by ${id}`, naming: ["quotes.same-fee"] }),
            id,
            {
              "quotes.same-fee": said,
            },
          ),
        EMPTY,
      );
    const said = (message: string, known: SignatureDictionary) =>
      named(
        failing("quotes.same-fee").map((one) => ({ ...one, message })),
        [],
        known,
      ).map(({ mutant }) => mutant);
    const known = saying({
      whole: "fee.amount: # where # was due",
      net: "fee.net: # where # was due",
      late: "POST /v1/quotes answered # in place of a quote",
    });

    test("the fault of which the same is said is named alone", () => {
      expect(said("fee.net: 12.5 where 13.75 was due", known)).toEqual(["net"]);
      expect(said("POST /v1/quotes answered 500 in place of a quote", known)).toEqual(["late"]);
    });

    test("those of which something like it is said are named where nobody's is the same", () => {
      expect(said("fee.vat: 2 where 3 was due", known)).toEqual(["whole", "net"]);
    });

    test("none is named that something else is said of", () => {
      expect(said("the quote's id is missing", known)).toEqual([]);
    });

    test("among several failing checks one that says the same is enough, and one that says the like isn't", () => {
      const both = (message: string, at?: string) =>
        named(
          failing("quotes.same-fee", "tokens.type").map((one) =>
            one.id === "quotes.same-fee" ? { ...one, message, ...(at !== undefined && { at }) } : one,
          ),
          [],
          known,
        ).map(({ mutant }) => mutant);
      expect(both("fee.net: 12.5 where 13.75 was due")).toEqual(["net"]);
      expect(both("fee.vat: 12.5 where 13.75 was due")).toEqual([]);
      expect(both("fee.net: 2 where 3 was due", "1 of 2 fees: gross; held at net")).toEqual([]);
    });

    test("a check that passed and fails on the fault speaks against the same words", () => {
      const more = withWords(
        withNamed(EMPTY, "net", { fault: "fees differ", naming: ["quotes.same-fee", "paging.order"] }),
        "net",
        { "quotes.same-fee": "fee.net: # where # was due" },
      );
      expect(said("fee.net: 2 where 3 was due", more)).toEqual([]);
    });

    test("one that nothing is known of comes after the same, and before another", () => {
      const more = withNamed(known, "quiet", { fault: "fees differ", naming: ["quotes.same-fee"] });
      expect(said("fee.vat: 2 where 3 was due", more)).toEqual(["quiet", "whole", "net"]);
      expect(said("fee.net: 2 where 3 was due", more)).toEqual(["net"]);
    });
  });

  test("a fault that is known to fail on another check, which passed, isn't told by one", () => {
    const twice = withNamed(EMPTY, "fee", {
      fault: "fees differ",
      naming: ["quotes.same-fee", "paging.order"],
    });
    expect(named(failing("quotes.same-fee"), [], twice)).toEqual([]);
    expect(named(failing("quotes.same-fee", "paging.order"), [], twice)).toHaveLength(1);
  });

  test("of what should be nothing is said where something fails that must be", () => {
    const ended = failing(
      "signatures.of-events",
      "signatures.of-the-bytes",
      "paging.order",
      "quotes.same-fee",
      "tokens.type",
    );
    const warned = ended.map((one) =>
      one.id.startsWith("signatures.") ? one : ({ ...one, severity: "SHOULD" } as const),
    );
    expect(named(warned)[0]).toMatchObject({ mutant: "undecoded", failing: 2, besides: 0 });
    const alone = warned.map((one) =>
      one.id.startsWith("signatures.") ? ({ ...one, status: "passed" } as const) : one,
    );
    expect(named(alone)[0]).toMatchObject({ mutant: "types", failing: 3 });
  });

  test("of several failing checks the one speaks that a cause of all of them begins with", () => {
    const ended = failing("signatures.of-the-bytes", "quotes.same-fee");
    const cause = (...ids: readonly [string, ...string[]]) => [
      { what: "it goes wrong", check: ids[0], checks: ids },
    ];
    const all = cause("signatures.of-the-bytes", "quotes.same-fee");
    expect(named(ended, all)[0]).toMatchObject({ mutant: "ascii", failing: 2 });
    const ascii = withNamed(EMPTY, "ascii", {
      fault: "signed as ASCII",
      naming: ["signatures.of-the-bytes"],
    });
    const more = failing("signatures.of-the-bytes", "quotes.same-fee", "tokens.type");
    expect(named(more, cause("signatures.of-the-bytes", "tokens.type"), ascii)).toEqual([]);
    expect(
      named(more, cause("signatures.of-the-bytes", "quotes.same-fee", "tokens.type"), ascii),
    ).toHaveLength(1);
  });

  test("what fails as its operation isn't there makes no guess, and doesn't hide what else fails", () => {
    const ended = (...absent: readonly string[]) =>
      failing("paging.order", "signatures.of-events", "signatures.of-the-bytes").map((one) =>
        absent.includes(one.id) ? ({ ...one, absent: true } as const) : one,
      );
    const alone = failing("paging.order");
    expect(named(alone)).toHaveLength(1);
    expect(named(alone.map((one) => (one.status === "failed" ? { ...one, absent: true } : one)))).toEqual([]);
    const cause = [
      { what: "GET /v1/deliveries answered 404", check: "paging.order", checks: ["paging.order"] },
    ];
    expect(named(ended("paging.order"), cause)[0]).toMatchObject({ mutant: "undecoded", failing: 2 });
    expect(named(ended("paging.order", "signatures.of-events", "signatures.of-the-bytes"), cause)).toEqual(
      [],
    );
  });

  test("of several failing checks one alone tells no fault, however much it weighs", () => {
    expect(named(failing("signatures.of-the-bytes", "quotes.same-fee"))).toEqual([]);
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

test("a report, in which operations have the specification's names, knows the fault by the words that are kept", () => {
  const message =
    "the 200 answer to listDeliveryAreas: items[0].external_store_id isn't text (3 of 3 exchanges; this is the first)";
  const failed = { status: "failed", duration_ms: 1, requests: 1, message } as const;
  const { checks: shown, diagnoses } = aReport({ outcomes: { "passive.delivery-area-schema": failed } });
  expect(shown.find(({ status }) => status === "failed")?.message).toContain("GET /v1/delivery-areas: ");
  expect(diagnoses?.map(({ mutant }) => mutant)).toEqual(["area-external_store_id-null"]);
});
