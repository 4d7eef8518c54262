import { LEVELS } from "../../../suites/core/contract/claims.ts";
import type { JudgedCheck, Judgement } from "./judgement.ts";

export const KINDS = ["added", "tightened", "altered", "loosened", "removed"] as const;

/** What became of a check or a clause, for whoever passed before. */
export type ChangeKind = (typeof KINDS)[number];

export interface Change {
  readonly kind: ChangeKind;
  /** A check, a clause or an open point. */
  readonly id: string;
  /** What is otherwise, each a phrase. */
  readonly how: readonly string[];
}

export interface Changes {
  readonly checks: readonly Change[];
  readonly clauses: readonly Change[];
  readonly openPoints: readonly Change[];
  /** Paths of changed code that all checks stand on. */
  readonly frame: readonly string[];
}

/** What demands more, what demands less, and what differs without saying which. */
type Differences = Readonly<Record<"tightened" | "altered" | "loosened", readonly string[]>>;

const listed = (words: readonly string[]): string => words.join(", ");
const missing = <T>(from: Iterable<T>, others: { has(value: T): boolean }): readonly T[] =>
  [...from].filter((one) => !others.has(one));

/** A subject that claims less is graded by it from now on, or no more. */
const levels: readonly string[] = Object.values(LEVELS).flat();
const isLower = (one: string, than: string): boolean => levels.indexOf(one) < levels.indexOf(than);

function stepsThatDiffer(before: JudgedCheck, after: JudgedCheck): readonly string[] {
  const [one, other] = [before.steps, after.steps];
  if (!one || !other) return [];
  const called = [...new Set([...one.called.keys(), ...other.called.keys()])].filter(
    (key) => one.called.get(key) !== other.called.get(key),
  );
  return [
    ...(one.own === other.own ? [] : ["its own steps"]),
    ...called.map((key) => `what it calls: ${key}`),
  ];
}

function weightsThatDiffer(before: JudgedCheck, after: JudgedCheck, heavier: string): readonly string[] {
  return [...after.clauses].flatMap(([id, weight]) => {
    const was = before.clauses.get(id);
    return was !== undefined && was !== weight && weight === heavier
      ? [`${id} is a ${weight}, and was a ${was}`]
      : [];
  });
}

function differencesOfChecks(before: JudgedCheck, after: JudgedCheck): Differences {
  const more = missing(after.clauses.keys(), before.clauses);
  const less = missing(before.clauses.keys(), after.clauses);
  const needs = missing(after.needs, new Set(before.needs));
  const needsNoMore = missing(before.needs, new Set(after.needs));
  const level = `stands at level ${after.level}, and stood at ${before.level}`;
  return {
    tightened: [
      ...(more.length > 0 ? [`verifies ${listed(more)} too`] : []),
      ...weightsThatDiffer(before, after, "MUST"),
      ...(isLower(after.level, before.level) ? [level] : []),
      ...(needsNoMore.length > 0 ? [`runs without ${listed(needsNoMore)} too`] : []),
    ],
    altered: stepsThatDiffer(before, after),
    loosened: [
      ...(less.length > 0 ? [`verifies ${listed(less)} no more`] : []),
      ...weightsThatDiffer(before, after, "SHOULD"),
      ...(isLower(before.level, after.level) ? [level] : []),
      ...(needs.length > 0 ? [`needs ${listed(needs)}`] : []),
    ],
  };
}

type Clauses = Judgement["clauses"] extends ReadonlyMap<string, infer One> ? One : never;

function differencesOfClauses(before: Clauses, after: Clauses): Differences {
  const level = before.level === after.level ? [] : [`a ${after.level}, and was a ${before.level}`];
  const claim = before.claim === after.claim ? [] : [`of level ${after.claim}, and was of ${before.claim}`];
  return {
    tightened: [
      ...(after.level === "MUST" ? level : []),
      ...(isLower(after.claim, before.claim) ? claim : []),
    ],
    altered: before.text === after.text ? [] : [`reads "${after.text}", and read "${before.text}"`],
    loosened: [
      ...(after.level === "MUST" ? [] : level),
      ...(isLower(before.claim, after.claim) ? claim : []),
    ],
  };
}

/** Each entry that is on one side alone, or on both and not the same. */
function compareEntries<One>(
  before: ReadonlyMap<string, One>,
  after: ReadonlyMap<string, One>,
  differences: (before: One, after: One) => Differences,
  tell: (one: One) => string,
): readonly Change[] {
  const changes: Change[] = [];
  for (const [id, one] of after) {
    const was = before.get(id);
    if (was === undefined) {
      changes.push({ kind: "added", id, how: [tell(one)] });
      continue;
    }
    const found = differences(was, one);
    for (const kind of ["tightened", "altered", "loosened"] as const) {
      if (found[kind].length > 0) changes.push({ kind, id, how: found[kind] });
    }
  }
  for (const [id, one] of before) if (!after.has(id)) changes.push({ kind: "removed", id, how: [tell(one)] });
  return changes.toSorted((one, other) => KINDS.indexOf(one.kind) - KINDS.indexOf(other.kind));
}

/** What is judged otherwise after than before. */
export function compareJudgements(before: Judgement, after: Judgement): Changes {
  const paths = new Set([...before.frame.keys(), ...after.frame.keys()]);
  return {
    checks: compareEntries(
      before.checks,
      after.checks,
      differencesOfChecks,
      ({ level, clauses }) =>
        `level ${level}; ${listed([...clauses].map(([id, weight]) => `${id} (${weight})`))}`,
    ),
    clauses: compareEntries(
      before.clauses,
      after.clauses,
      differencesOfClauses,
      ({ level, text }) => `${level}: ${text}`,
    ),
    openPoints: compareEntries(
      before.openPoints,
      after.openPoints,
      (was, is) => ({ tightened: [], altered: was === is ? [] : [`reads "${is}"`], loosened: [] }),
      (text) => text,
    ),
    frame: [...paths].filter((path) => before.frame.get(path) !== after.frame.get(path)).toSorted(),
  };
}
