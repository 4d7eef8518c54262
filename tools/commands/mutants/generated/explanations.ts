/** Reads `survivors.yaml`: why no check detects certain mutants, by declaration and operator. */
import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { isObject } from "../../../../suites/core/json.ts";
import type { GeneratedMutant } from "./mutations.ts";

/**
 * `equivalent`: the server behaves the same. `open`: the specification leaves the difference open. `beyond`: no clause
 * is about the difference. If the difference matters, the server's own tests detect it.
 */
export const VERDICTS = ["equivalent", "open", "beyond"] as const;
type Verdict = (typeof VERDICTS)[number];

export interface Explanation {
  readonly file: string;
  readonly declaration: string;
  /** The declaration's hash when the explanation was written. */
  readonly fingerprint: string;
  readonly verdict: Verdict;
  /** The number of surviving mutants of the declaration, by Stryker's operator. */
  readonly operators: ReadonlyMap<string, number>;
  readonly why: string;
}

type Place = Pick<GeneratedMutant, "file" | "declaration">;

const placeOf = ({ file, declaration }: Place): string => `${file} ${declaration}`;

const mistake = (text: string): Error => new Error(`survivors.yaml: ${text}`);

function explanationsOf([place, entries]: readonly [string, unknown]): readonly Explanation[] {
  const [, file, declaration, fingerprint] = /^(\S+) (.+) ([0-9a-f]{8})$/.exec(place) ?? [];
  if (file === undefined || declaration === undefined || fingerprint === undefined)
    throw mistake(`${place}: expected a file, a declaration and its hash`);
  const all = Array.isArray(entries) ? entries.flatMap((entry) => Object.entries(Object(entry))) : [];
  return all.map(([head, why]) => {
    const [first, ...counts] = head.split(", ");
    const verdict = VERDICTS.find((one) => one === first);
    const operators = new Map(counts.map((text) => operatorCount(place, text)));
    if (verdict === undefined || operators.size === 0 || typeof why !== "string")
      throw mistake(`${place}: ${head}: expected a verdict, operators and a reason`);
    if (verdict === "open" && !/\bOPEN-\d+\b/.test(why))
      throw mistake(`${place}: ${why}: name an open point`);
    return { file, declaration, fingerprint, verdict, operators, why };
  });
}

function operatorCount(place: string, text: string): readonly [string, number] {
  const [, operator, count] = /^(\w+) ([1-9]\d*)$/.exec(text) ?? [];
  if (operator === undefined) throw mistake(`${place}: ${text}: expected an operator and a number`);
  return [operator, Number(count)];
}

/** @throws Error if the list isn't well formed */
function readExplanations(): readonly Explanation[] {
  const content: unknown = parse(readFileSync(new URL("survivors.yaml", import.meta.url), "utf8"));
  return isObject(content) ? Object.entries(content).flatMap(explanationsOf) : [];
}

export class Explanations {
  readonly #byPlace: ReadonlyMap<string, readonly Explanation[]>;

  constructor(all: readonly Explanation[] = readExplanations()) {
    this.#byPlace = Map.groupBy(all, placeOf);
  }

  /** The explanation of a mutant; undefined if there is none, or if the mutant's code has changed since. */
  of(mutant: GeneratedMutant): Explanation | undefined {
    return this.#like(mutant)[0];
  }

  /** The number of mutants of the same declaration and operator that may survive. */
  countFor(mutant: GeneratedMutant): number {
    return this.#like(mutant).reduce((sum, { operators }) => sum + (operators.get(mutant.operator) ?? 0), 0);
  }

  #like(mutant: GeneratedMutant): readonly Explanation[] {
    const explained = this.#byPlace.get(placeOf(mutant)) ?? [];
    return explained.filter(
      ({ fingerprint, operators }) => fingerprint === mutant.fingerprint && operators.has(mutant.operator),
    );
  }

  /** A line for each explanation whose code was removed or has changed. */
  stale(mutants: readonly GeneratedMutant[]): readonly string[] {
    const present = Map.groupBy(mutants, placeOf);
    return [...this.#byPlace].flatMap(([place, explained]) => {
      const found = present.get(place) ?? [];
      const [mutant] = found;
      if (mutant === undefined) return [`${place}: the declaration no longer exists`];
      const changed = explained.find(({ fingerprint }) => fingerprint !== mutant.fingerprint);
      if (changed !== undefined)
        return [
          `${place}: the code's hash was ${changed.fingerprint} and is ${mutant.fingerprint}; update the explanation`,
        ];
      return [...new Set(explained.flatMap(({ operators }) => [...operators.keys()]))].flatMap((operator) => {
        const like = found.filter((one) => one.operator === operator);
        const count = like[0] === undefined ? 1 : this.countFor(like[0]);
        return count <= like.length
          ? []
          : [`${place}: ${count} mutants of ${operator} are explained, but there are ${like.length}`];
      });
    });
  }
}
