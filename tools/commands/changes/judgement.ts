import type { Ledger } from "../../../suites/core/contract/ledger.ts";
import type { Files } from "./history.ts";
import { type Steps, stepsOfChecks } from "./steps.ts";

/** A check as its frozen line tells of it. */
export interface JudgedCheck {
  readonly id: string;
  readonly level: string;
  /** The clauses that it verifies, with how much each weighs. */
  readonly clauses: ReadonlyMap<string, string>;
  readonly needs: readonly string[];
  /** Undefined for a check whose code isn't found by its id. */
  readonly steps: Steps | undefined;
}

/** All that was judged at one time. */
export interface Judgement {
  readonly checks: ReadonlyMap<string, JudgedCheck>;
  readonly clauses: ReadonlyMap<string, Pick<Ledger["clauses"][number], "level" | "claim" | "text">>;
  readonly openPoints: ReadonlyMap<string, string>;
  /** Code that all checks stand on, by path. */
  readonly frame: Files;
}

const FROZEN = /^tools\/testing\/public-surface\/list-\w+\.txt$/;
const LINE = /^(?<id>\S+): (?<level>\w+); (?<clauses>[^;]+); needs (?<needs>.+)$/;
const FRAME = /^suites\/(core|server|receiver|client)\/((session|context)\/)?[^/]+\.ts$/;
const NONE = "nothing beyond the common";

const entries = (text: string): readonly string[] => text.split(", ").filter((entry) => entry !== NONE);

/** What the files of one time say. */
export function judgementOf(files: Files): Judgement {
  const steps = stepsOfChecks(files);
  const lines = [...files].filter(([path]) => FROZEN.test(path)).flatMap(([, text]) => text.split("\n"));
  const checks = lines.flatMap((line): JudgedCheck[] => {
    const { id, level, clauses, needs } = LINE.exec(line)?.groups ?? {};
    if (!id || !level || !clauses || !needs) return [];
    const weighed = [...clauses.matchAll(/(\S+) \((\w+)\)/g)].map(
      ([, clause = "", weight = ""]) => [clause, weight] as const,
    );
    return [{ id, level, clauses: new Map(weighed), needs: entries(needs), steps: steps.get(id) }];
  });
  const ledger: Pick<Ledger, "clauses" | "open_points"> = JSON.parse(
    files.get("openapi/generated/clauses.json") ?? '{"clauses":[],"open_points":[]}',
  );
  return {
    checks: new Map(checks.map((check) => [check.id, check])),
    clauses: new Map(ledger.clauses.map((clause) => [clause.id, clause])),
    openPoints: new Map(ledger.open_points.map(({ id, text }) => [id, text])),
    frame: new Map([...files].filter(([path]) => FRAME.test(path))),
  };
}
