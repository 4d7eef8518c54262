import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { declarationsOf } from "./declarations.ts";
import { type Explanation, Explanations } from "./explanations.ts";
import { FOLDERS } from "./generated.ts";
import { MutantThread } from "./mutant-thread.ts";
import { type GeneratedMutant, type Mutations, mutationsOf, sourceFiles } from "./mutations.ts";
import { sampleOf } from "./run.ts";
import { TrialOrder } from "./trial.ts";

const SERVER = new URL("../../../../reference-server/", import.meta.url).href;
let mutations: Mutations;
let thread: MutantThread;

beforeAll(async () => {
  mutations = await mutationsOf(sourceFiles(FOLDERS));
  thread = new MutantThread({ sources: mutations.sources, folder: SERVER });
});
afterAll(() => thread.close());

function mutant(file: string, change: string): GeneratedMutant {
  const found = mutations.mutants.find((one) => one.file === file && one.change.startsWith(change));
  if (!found) throw new Error(`${file} has no ${change}`);
  return found;
}

describe("a mutant", () => {
  test("is killed by the first check that fails", async () => {
    const { id } = mutant("operations/tokens.ts", `"invalid_client" → ""`);
    const stages = [["health.ok"], ["tokens.wrong-credentials"], ["tokens.issued"]];
    const result = await thread.judge({ mutant: id, fresh: false, stages });
    expect(result).toEqual({ kind: "killed", killer: "tokens.wrong-credentials" });
  });

  test("survives if no check detects its fault", async () => {
    const { id } = mutant("operations/tokens.ts", `"invalid_client" → ""`);
    const result = await thread.judge({ mutant: id, fresh: false, stages: [["health.ok"]] });
    expect(result).toEqual({ kind: "survived" });
  });

  test("in code that runs while a module loads is killed once the module is reloaded, and doesn't affect later runs", async () => {
    const { id } = mutant("domain/lifecycle.ts", `["delivery.created", "delivery.queued"] → []`);
    const stages = [["emission.creation-with-coordinates"]];
    expect(await thread.judge({ mutant: id, fresh: false, stages })).toEqual({ kind: "survived" });
    expect(await thread.judge({ mutant: id, fresh: true, stages })).toMatchObject({ kind: "killed" });
    expect(await thread.judge({ mutant: id, fresh: false, stages })).toEqual({ kind: "survived" });
  });
});

describe("the order in which checks are tried", () => {
  const names = ["quick", "narrow", "other"].map((id) => ({ id, kind: "active" as const }));
  const one = {
    id: "1",
    file: "domain/a.ts",
    line: 1,
    declaration: "a",
    fingerprint: "f",
    operator: "o",
    change: "c",
  };
  const reached = {
    loading: ["3"],
    by: { quick: ["1", "2"], narrow: ["1"], other: [] },
    took: { quick: 100, narrow: 100, other: 1 },
    ended: {},
  };

  test("has the checks that execute the mutant, the most specific first", () => {
    expect(new TrialOrder(names, [reached]).of(one)).toEqual({
      fresh: false,
      stages: [["narrow", "quick"]],
    });
  });

  test("begins with the check that killed an adjacent mutant", () => {
    const order = new TrialOrder(names, [reached]);
    order.learn({ ...one, id: "2", line: 2 }, "quick");
    expect(order.of(one).stages).toEqual([["quick", "narrow"]]);
  });

  test("has all checks if only module loading executes the mutant, and none if nothing does", () => {
    const order = new TrialOrder(names, [reached]);
    expect(order.of({ ...one, id: "3" })).toMatchObject({ fresh: true, stages: [{ length: 3 }] });
    expect(order.of({ ...one, id: "4" })).toEqual({ fresh: false, stages: [] });
  });

  test("has all checks, with modules reloaded, if the code's result is cached", () => {
    const kept = new TrialOrder(names, [reached]).of({ ...one, file: "http/validation.ts" });
    expect(kept).toMatchObject({ fresh: true, stages: [{ length: 3 }] });
  });
});

describe("a sample", () => {
  const ids = (seed: number) => sampleOf(mutations.mutants, 20, seed).map(({ id }) => id);

  test("is chosen by its seed", () => {
    expect(ids(1)).toHaveLength(20);
    expect(ids(1)).toEqual(ids(1));
    expect(ids(2)).not.toEqual(ids(1));
  });
});

describe("an explanation", () => {
  const explained = (changes: Partial<Explanation> = {}, count = 1) => {
    const one = mutant("operations/tokens.ts", `"invalid_client" → ""`);
    const why = "it behaves the same";
    const operators = new Map([[one.operator, count]]);
    return { one, list: new Explanations([{ ...one, verdict: "equivalent", operators, why, ...changes }]) };
  };

  test("applies to its declaration and operator only", () => {
    const { one, list } = explained();
    expect(list.of(one)).toMatchObject({ verdict: "equivalent" });
    expect(list.countFor(one)).toBe(1);
    expect(list.of({ ...one, operator: "Regex" })).toBeUndefined();
    expect(list.of({ ...one, declaration: "another" })).toBeUndefined();
    expect(list.stale(mutations.mutants)).toEqual([]);
  });

  test("is stale once its declaration's code changes", () => {
    const { one, list } = explained({ fingerprint: "00000000" });
    expect(list.of(one)).toBeUndefined();
    expect(list.stale(mutations.mutants)).toEqual([
      expect.stringMatching(/^operations\/tokens\.ts obtainToken: the code's hash was 00000000 and is \w{8}/),
    ]);
  });

  test("is stale once its declaration is removed", () => {
    const { list } = explained({ declaration: "gone" });
    expect(list.stale(mutations.mutants)).toEqual([
      expect.stringContaining("the declaration no longer exists"),
    ]);
  });

  test("is stale if it counts more mutants than exist", () => {
    expect(explained({}, 999).list.stale(mutations.mutants)).toEqual([
      expect.stringMatching(/obtainToken: 999 mutants of StringLiteral are explained, but there are \d+$/),
    ]);
  });

  test("doesn't depend on comments or layout", () => {
    const at = (code: string) => declarationsOf(code).at(code.indexOf("1"), code.indexOf("1") + 1);
    const one = at("export function f() { return 1; }");
    expect(at("// why\nexport function f() {\n  // here\n  return 1;\n}")).toEqual(one);
    expect(one.label).toBe("f");
    expect(at("export function f() { return -1; }").fingerprint).not.toBe(one.fingerprint);
  });
});

test("no explanation in survivors.yaml is stale", () => {
  expect(new Explanations().stale(mutations.mutants)).toEqual([]);
});
