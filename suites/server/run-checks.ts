import type { Exchange } from "../core/exchange.ts";
import type { Outcome } from "../core/outcome.ts";
import { runChecks, runOrder } from "../core/run-checks.ts";
import { type AnyCheck, type Check, isExperiment, isPassive } from "./check.ts";
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
}

/** Checks that run after all others, one at a time. */
export const runsLast = ({ alone }: Check): boolean => alone === "last";

/** Runs checks on a target in a session of their own, and says how each ended, by its id: passive ones at the end. */
export async function runOnTarget(
  target: TargetSettings,
  checks: readonly AnyCheck[],
  { seed, jobs, observe, traffic, keepsLimits = true }: RunOptions,
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
    const run = (check: Check) => runCheck(check, session, seed);
    const outcomes = await runChecks(runOrder(experiments, runsLast), run, jobs);
    if (traffic && passive.length > 0) await run(traffic);
    const seen = passive.map((check) => [check.id, observer.outcome(check, session.redact)] as const);
    return new Map([...outcomes, ...seen]);
  } finally {
    await session.close();
  }
}
