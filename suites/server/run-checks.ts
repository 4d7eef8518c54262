import type { Exchange } from "../core/exchange.ts";
import type { Outcome } from "../core/outcome.ts";
import { runChecks } from "../core/run-checks.ts";
import { type AnyCheck, type Check, isExperiment, isPassive } from "./check.ts";
import { CheckRunner, orderOf } from "./check-runner.ts";
import { PassiveObserver } from "./passive-observer.ts";
import { runCheck } from "./run-check.ts";
import { Session, type SessionOptions } from "./session/session.ts";
import type { TargetSettings } from "./session/settings.ts";

export interface RunOptions extends Pick<SessionOptions, "keepsLimits"> {
  readonly seed: number;
  /** How many checks run beside each other. */
  readonly jobs: number;
  /** Sees every exchange of the run. */
  readonly observe?: (exchange: Exchange) => void;
  /** Run where there are passive checks, so that they have something to look at; its own end is of no interest. */
  readonly traffic?: Check;
  /** Whether each check is judged by itself alone, and none is blocked by another. */
  readonly eachAlone?: boolean;
}

/** Runs checks on a target in a session of their own, and says how each ended, by its id: passive ones at the end. */
export async function runOnTarget(
  target: TargetSettings,
  checks: readonly AnyCheck[],
  { seed, jobs, observe, traffic, keepsLimits = true, eachAlone = false }: RunOptions,
): Promise<ReadonlyMap<string, Outcome>> {
  const passive = checks.filter(isPassive);
  const experiments = checks.filter(isExperiment);
  const observer = new PassiveObserver(passive);
  const session = await Session.open(target, {
    observe: (exchange) => {
      observer.observe(exchange);
      observe?.(exchange);
    },
    receiver: experiments.some(({ needs }) => needs.includes("receiver")),
    keepsLimits,
  });
  try {
    const runner = new CheckRunner(session, experiments, seed);
    const run = (check: Check) => (eachAlone ? runCheck(check, session, seed) : runner.examine(check));
    const outcomes = await runChecks(orderOf(experiments), run, jobs);
    if (traffic && passive.length > 0) await run(traffic);
    const seen = passive.map((check) => [check.id, observer.outcome(check, session.redact, runner)] as const);
    return new Map([...outcomes, ...seen]);
  } finally {
    await session.close();
  }
}
