import type { Ledger } from "../../../suites/core/contract/ledger.ts";
import { type FrozenCheck, frozenChecks } from "../../versions/frozen-list.ts";
import type { Files } from "./history.ts";
import { type Steps, stepsOfChecks } from "./steps.ts";

/** A check as its frozen line tells of it, and what it does. */
export interface JudgedCheck extends FrozenCheck {
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
const FRAME = /^suites\/(core|server|receiver|client)\/((session|context)\/)?[^/]+\.ts$/;

/** What the files of one time say. */
export function judgementOf(files: Files): Judgement {
  const steps = stepsOfChecks(files);
  const checks = [...files]
    .filter(([path]) => FROZEN.test(path))
    .flatMap(([, text]) => frozenChecks(text))
    .map((check): JudgedCheck => ({ ...check, steps: steps.get(check.id) }));
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
