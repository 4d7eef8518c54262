import { describe, expect, test } from "vitest";
import { type SignatureDictionary, unseenOf, withNamed, withSignature, withWords } from "./signatures.ts";

const EMPTY: SignatureDictionary = { checks: [], mutants: {} };
const failing = ({ checks, mutants }: SignatureDictionary, id: string) =>
  mutants[id]?.failed.map((place) => checks[place]);

const first = withSignature(EMPTY, "late", {
  fault: "it is late",
  statuses: { "a.one": "failed", "a.two": "passed" },
});

describe("what is known of a mutant is brought up to date by what is new", () => {
  test("only checks that it wasn't run with are asked for", () => {
    expect(unseenOf(first, "late", "it is late", ["a.one", "a.two", "b.new"])).toEqual(["b.new"]);
    expect(unseenOf(first, "never run", "x", ["a.one"])).toEqual(["a.one"]);
  });

  test("what was seen before stays, and what is run again counts as it is now", () => {
    const later = withSignature(first, "late", { fault: "it is late", statuses: { "b.new": "failed" } });
    expect(failing(later, "late")).toEqual(["a.one", "b.new"]);
    const mended = withSignature(later, "late", { fault: "it is late", statuses: { "a.one": "passed" } });
    expect(failing(mended, "late")).toEqual(["b.new"]);
    expect(unseenOf(mended, "late", "it is late", ["a.one", "a.two", "b.new"])).toEqual([]);
  });

  test("of a fault that is told otherwise nothing is known, nor of one that was only named", () => {
    expect(unseenOf(first, "late", "it is very late", ["a.one"])).toEqual(["a.one"]);
    const renamed = withSignature(first, "late", {
      fault: "it is very late",
      statuses: { "a.two": "failed" },
    });
    expect(failing(renamed, "late")).toEqual(["a.two"]);
    const named = withNamed(EMPTY, "late", { fault: "it is late", naming: ["a.one"] });
    expect(unseenOf(named, "late", "it is late", ["a.one"])).toEqual(["a.one"]);
    expect(
      failing(withSignature(named, "late", { fault: "it is late", statuses: { "b.new": "failed" } }), "late"),
    ).toEqual(["b.new"]);
  });

  test("what failures say stays until they say something else, hold, or the fault is told otherwise", () => {
    const said = ({ mutants }: SignatureDictionary) => mutants.late?.words;
    const named = withNamed(EMPTY, "late", { fault: "it is late", naming: ["a.one", "a.two"] });
    const worded = withWords(named, "late", { "a.one": "# late", "b.other": "not of it" });
    expect(said(worded)).toEqual({ 0: "# late" });
    const later = withSignature(worded, "late", {
      fault: "it is late",
      statuses: { "a.one": "failed", "a.two": "failed" },
      words: { "a.two": "missing" },
    });
    expect(said(later)).toEqual({ 0: "# late", 1: "missing" });
    const ended = withSignature(later, "late", {
      fault: "it is late",
      statuses: { "a.one": "passed", "a.two": "failed" },
      words: { "a.two": "gone" },
    });
    expect(said(ended)).toEqual({ 1: "gone" });
    expect(said(withNamed(later, "late", { fault: "it is early", naming: ["a.one"] }))).toBeUndefined();
    expect(withWords(EMPTY, "unknown", { "a.one": "# late" })).toEqual(EMPTY);
  });
});
