/** The list of survivors that are explained: each beside the code that the explanation is of. */
import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { isObject } from "../../../../suites/core/json.ts";
import type { GeneratedMutant } from "./mutations.ts";

/**
 * `equivalent`: the server does the same. `open`: what it does differently is left open by the specification.
 * `beyond`: no clause speaks of it, and where we care a test of the server's own holds it.
 */
export const VERDICTS = ["equivalent", "open", "beyond"] as const;
export type Verdict = (typeof VERDICTS)[number];

export interface Explanation {
  readonly file: string;
  readonly declaration: string;
  /** Of the declaration when it was explained. */
  readonly fingerprint: string;
  readonly change: string;
  readonly verdict: Verdict;
  readonly why: string;
}

const keyOf = ({ file, declaration, change }: Pick<Explanation, "file" | "declaration" | "change">) =>
  `${file} ${declaration}: ${change}`;

const text = (entry: Record<string, unknown>, name: string): string => {
  const value = entry[name];
  if (typeof value === "string" && value !== "") return value;
  throw new Error(`survivors.yaml: ${name} is missing beside ${JSON.stringify(entry)}`);
};

function explanationsOf(entry: unknown): readonly Explanation[] {
  if (!isObject(entry)) throw new Error("survivors.yaml: an entry is no object");
  const verdict = VERDICTS.find((one) => one === entry.verdict);
  const changes: readonly unknown[] = Array.isArray(entry.changes) ? entry.changes : [];
  const file = text(entry, "file");
  if (verdict === undefined || changes.length === 0) {
    throw new Error(`survivors.yaml: ${file}: verdict and changes are needed`);
  }
  const why = text(entry, "why");
  if (verdict === "open" && !/\bOPEN-\d+\b/.test(why)) {
    throw new Error(`survivors.yaml: ${file}: ${why}: an open point is named`);
  }
  const shared = { file, declaration: text(entry, "in"), fingerprint: text(entry, "code"), verdict, why };
  return changes.map((change) => ({ ...shared, change: String(change) }));
}

/** Every survivor that is explained. @throws Error where the list isn't well formed */
export function readExplanations(): readonly Explanation[] {
  const content: unknown = parse(readFileSync(new URL("survivors.yaml", import.meta.url), "utf8"));
  return Array.isArray(content) ? content.flatMap(explanationsOf) : [];
}

export class Explanations {
  readonly #all: ReadonlyMap<string, Explanation>;

  constructor(all: readonly Explanation[] = readExplanations()) {
    this.#all = new Map(all.map((one) => [keyOf(one), one]));
  }

  /** Undefined for one that isn't explained, and for one whose code has changed since. */
  of(mutant: GeneratedMutant): Explanation | undefined {
    const found = this.#all.get(keyOf(mutant));
    return found?.fingerprint === mutant.fingerprint ? found : undefined;
  }

  /** What is said of code that isn't there any more, or isn't what it was: a line for each. */
  stale(mutants: readonly GeneratedMutant[]): readonly string[] {
    const present = new Map(mutants.map((mutant) => [keyOf(mutant), mutant]));
    return [...this.#all].flatMap(([key, { fingerprint }]) => {
      const mutant = present.get(key);
      if (!mutant) return [`${key}: there is no such change any more`];
      return mutant.fingerprint === fingerprint
        ? []
        : [
            `${key}: the code was ${fingerprint} and is ${mutant.fingerprint} (line ${mutant.line}); explain it anew`,
          ];
    });
  }
}
