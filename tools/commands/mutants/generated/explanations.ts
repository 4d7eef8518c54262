/** The explained survivors, by declaration and operator. */
import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { isObject } from "../../../../suites/core/json.ts";
import type { GeneratedMutant } from "./mutations.ts";

/**
 * `equivalent`: the server does the same. `open`: what it does differently is left open by the specification.
 * `beyond`: no clause speaks of it, and where we care a test of the server's own holds it.
 */
export const VERDICTS = ["equivalent", "open", "beyond"] as const;
type Verdict = (typeof VERDICTS)[number];

export interface Explanation {
  readonly file: string;
  readonly declaration: string;
  /** The declaration's when it was explained. */
  readonly fingerprint: string;
  readonly verdict: Verdict;
  /** How many mutants of the declaration survive, by Stryker's operators. */
  readonly operators: ReadonlyMap<string, number>;
  readonly why: string;
}

type Place = Pick<GeneratedMutant, "file" | "declaration">;

const placeOf = ({ file, declaration }: Place): string => `${file} ${declaration}`;

const mistake = (text: string): Error => new Error(`survivors.yaml: ${text}`);

function explanationsOf([place, entries]: readonly [string, unknown]): readonly Explanation[] {
  const [, file, declaration, fingerprint] = /^(\S+) (.+) ([0-9a-f]{8})$/.exec(place) ?? [];
  if (file === undefined || declaration === undefined || fingerprint === undefined)
    throw mistake(`${place}: a file, a declaration and its hash are needed`);
  const all = Array.isArray(entries) ? entries.flatMap((entry) => Object.entries(Object(entry))) : [];
  return all.map(([head, why]) => {
    const [first, ...counts] = head.split(", ");
    const verdict = VERDICTS.find((one) => one === first);
    const operators = new Map(counts.map((text) => operatorCount(place, text)));
    if (verdict === undefined || operators.size === 0 || typeof why !== "string")
      throw mistake(`${place}: ${head}: a verdict, operators and a reason are needed`);
    if (verdict === "open" && !/\bOPEN-\d+\b/.test(why))
      throw mistake(`${place}: ${why}: name an open point`);
    return { file, declaration, fingerprint, verdict, operators, why };
  });
}

function operatorCount(place: string, text: string): readonly [string, number] {
  const [, operator, count] = /^(\w+) ([1-9]\d*)$/.exec(text) ?? [];
  if (operator === undefined) throw mistake(`${place}: ${text}: an operator and a number are needed`);
  return [operator, Number(count)];
}

/** Every explanation. @throws Error if the list isn't well formed */
function readExplanations(): readonly Explanation[] {
  const content: unknown = parse(readFileSync(new URL("survivors.yaml", import.meta.url), "utf8"));
  return isObject(content) ? Object.entries(content).flatMap(explanationsOf) : [];
}

export class Explanations {
  readonly #byPlace: ReadonlyMap<string, readonly Explanation[]>;

  constructor(all: readonly Explanation[] = readExplanations()) {
    this.#byPlace = Map.groupBy(all, placeOf);
  }

  /** Undefined for a mutant that isn't explained, and for one whose code has changed since. */
  of(mutant: GeneratedMutant): Explanation | undefined {
    return this.#like(mutant)[0];
  }

  /** How many mutants of the same declaration and operator may survive. */
  countFor(mutant: GeneratedMutant): number {
    return this.#like(mutant).reduce((sum, { operators }) => sum + (operators.get(mutant.operator) ?? 0), 0);
  }

  #like(mutant: GeneratedMutant): readonly Explanation[] {
    const explained = this.#byPlace.get(placeOf(mutant)) ?? [];
    return explained.filter(
      ({ fingerprint, operators }) => fingerprint === mutant.fingerprint && operators.has(mutant.operator),
    );
  }

  /** A line for each explanation of code that isn't there any more, or has changed. */
  stale(mutants: readonly GeneratedMutant[]): readonly string[] {
    const present = Map.groupBy(mutants, placeOf);
    return [...this.#byPlace].flatMap(([place, explained]) => {
      const found = present.get(place) ?? [];
      const [mutant] = found;
      if (mutant === undefined) return [`${place}: there is no such declaration any more`];
      const changed = explained.find(({ fingerprint }) => fingerprint !== mutant.fingerprint);
      if (changed !== undefined)
        return [
          `${place}: the code was ${changed.fingerprint} and is ${mutant.fingerprint}; explain it anew`,
        ];
      return [...new Set(explained.flatMap(({ operators }) => [...operators.keys()]))].flatMap((operator) => {
        const like = found.filter((one) => one.operator === operator);
        const count = like[0] === undefined ? 1 : this.countFor(like[0]);
        return count <= like.length ? [] : [`${place}: of ${count} ${operator} there are ${like.length}`];
      });
    });
  }
}
