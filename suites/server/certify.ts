import { CLAIMS, LEVELS, type ServerClaim } from "../core/claims.ts";
import type { Exchange } from "../core/exchange.ts";
import { type Grade, grade } from "../core/grade.ts";
import { readLedger } from "../core/ledger.ts";
import type { Outcome } from "../core/outcome.ts";
import { type AnyCheck, isExperiment, isPassive } from "./check.ts";
import { levelOf } from "./levels.ts";
import { Watch } from "./passive-observer.ts";
import { examine } from "./run-check.ts";
import { Session } from "./session/session.ts";
import type { TargetSettings } from "./session/settings.ts";

export interface Certification {
  readonly grade: Grade;
  readonly outcomes: ReadonlyMap<string, Outcome>;
  /** A line for each check that did not pass, by the check's id. */
  readonly trouble: Readonly<Record<string, string>>;
}

export interface CertifyOptions {
  readonly seed?: number;
  readonly jobs?: number;
  readonly claims?: readonly ServerClaim[];
  /** Sees every exchange of the run. */
  readonly observe?: (exchange: Exchange) => void;
}

/**
 * Certifies a target inside a vitest test: what `conform` does with a reporter, as one call. It is how variants and
 * other servers are held against the suite.
 */
export async function certify(
  target: TargetSettings,
  all: readonly AnyCheck[],
  { seed = 1, jobs = 8, claims = CLAIMS, observe = () => {} }: CertifyOptions = {},
): Promise<Certification> {
  const clauses = readLedger().clauses.filter(({ subject }) => subject === "server");
  const checks = all.filter((check) => claims.includes(levelOf(check, clauses)));
  const passive = checks.filter(isPassive);
  const experiments = checks.filter(isExperiment);
  const watch = new Watch(passive);
  const outcomes = new Map<string, Outcome>();
  const session = await Session.open(target, {
    observe: (exchange) => {
      watch.observe(exchange);
      observe(exchange);
    },
    receiver: experiments.some(({ needs }) => needs.includes("receiver")),
  });
  try {
    const queue = experiments.filter(({ alone }) => alone !== "last");
    const worker = async () => {
      for (let check = queue.shift(); check; check = queue.shift()) {
        outcomes.set(check.id, await examine(check, session, seed));
      }
    };
    await Promise.all(Array.from({ length: jobs }, worker));
    for (const check of experiments.filter(({ alone }) => alone === "last")) {
      outcomes.set(check.id, await examine(check, session, seed));
    }
    for (const check of passive) outcomes.set(check.id, watch.outcome(check, session.redact));
  } finally {
    await session.close();
  }
  const graded = checks.map(({ id, clauses: ids }) => ({
    id,
    clauses: ids,
    status: outcomes.get(id)?.status,
  }));
  const trouble = Object.fromEntries(
    [...outcomes].flatMap(([id, { status, message, expected, actual }]) =>
      status === "passed"
        ? []
        : [[id, `${status}: ${message ?? ""} (expected ${expected}, actual ${actual})`]],
    ),
  );
  return {
    grade: grade({
      levels: LEVELS.server,
      clauses,
      checks: graded,
      claims,
      incomplete: false,
      strict: false,
    }),
    outcomes,
    trouble,
  };
}
