import { expect, test } from "vitest";
import type { SignatureDictionary } from "../../../suites/core/mutation/signatures.ts";
import { accuracyOf } from "./accuracy.ts";

const CHECKS = ["paging.one", "paging.two", "quotes.one", "stores.one"];
/** By mutant the checks that are made to catch it. */
const NAMING: Readonly<Record<string, readonly string[]>> = {
  "pages-short": ["paging.one"],
  "pages-long": ["paging.one"],
  "quotes-dear": ["quotes.one"],
  "stores-gone": ["stores.one"],
  "stores-moved": ["stores.one"],
};
const run = (...failed: readonly number[]) => ({
  fault: "a fault",
  upTo: CHECKS.length,
  failed: [...failed],
});

test("each is left out in turn: told by one of its kind, by others alone, by none, or the only one of its kind", () => {
  const dictionary: SignatureDictionary = {
    checks: CHECKS,
    mutants: {
      "pages-short": run(0, 1),
      "pages-long": run(0, 1),
      "quotes-dear": run(2),
      "stores-gone": run(0, 1, 3),
      // Never run on all checks, and one on which none fails: neither is asked for.
      "stores-moved": { fault: "a fault", upTo: 0, failed: [3] },
    },
  };
  const accuracy = accuracyOf(dictionary, (mutant) => NAMING[mutant] ?? []);
  expect(accuracy).toEqual({ asked: 4, known: 3, right: 2, silent: 1, onlyOnes: 1 });
});

test("what failures say is asked after too: of two that fail alike the one is told that says so", () => {
  const saying = (said: string) => ({ ...run(0, 1), words: { 0: said } });
  const mutants = { "pages-short": saying("# were missing"), "pages-long": saying("# came twice") };
  const accuracy = accuracyOf({ checks: CHECKS, mutants }, (mutant) => NAMING[mutant] ?? []);
  expect(accuracy).toMatchObject({ asked: 2, known: 2 });
});
