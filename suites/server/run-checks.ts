import type { Exchange } from "../core/exchange.ts";
import type { Outcome } from "../core/grading/outcome.ts";
import { runChecks } from "../core/run-checks.ts";
import { type AnyCheck, type Check, isExperiment, isPassive } from "./check.ts";
import { orderOf } from "./check-order.ts";
import { CheckRunner } from "./check-runner.ts";
import { PassiveObserver } from "./passive-observer.ts";
import { runCheck } from "./run-check.ts";
import { Session, type SessionOptions } from "./session/session.ts";
import type { TargetSettings } from "./session/settings.ts";

export interface RunOptions extends Pick<SessionOptions, "keepsLimits" | "scripts"> {
  readonly seed: number;
  /** How many checks run beside each other. */
  readonly jobs: number;
  /** Sees every exchange of the run. */
  readonly observe?: (exchange: Exchange) => void;
  /** Run where there are passive checks, so that they have something to look at; its own end is of no interest. */
  readonly traffic?: Check;
  /** Whether each check is judged by itself alone, and none is blocked by another. */
  readonly eachAlone?: boolean;
  /** Told before each experiment, the traffic too. */
  readonly onBegin?: (check: Check) => void;
  /** Told how each ended. Where it answers true the run is decided, and nothing more is begun. */
  readonly isDecidedBy?: (check: AnyCheck, outcome: Outcome) => boolean;
}

/** Of a check that wasn't begun any more. */
const NOT_BEGUN: Outcome = {
  status: "not_testable",
  message: "the run was decided before",
  duration_ms: 0,
  requests: 0,
};

/** Runs checks on a target in a session of their own, and says how each ended, by its id: passive ones at the end. */
export async function runOnTarget(
  target: TargetSettings,
  checks: readonly AnyCheck[],
  options: RunOptions,
): Promise<ReadonlyMap<string, Outcome>> {
  const { seed, jobs, observe, traffic, scripts = true, keepsLimits = true, eachAlone = false } = options;
  const { onBegin, isDecidedBy = () => false } = options;
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
    scripts,
    seed,
  });
  try {
    const runner = new CheckRunner(session, experiments, seed);
    let decided = false;
    const tell = (check: AnyCheck, outcome: Outcome) => {
      decided ||= isDecidedBy(check, outcome);
      return outcome;
    };
    const run = async (check: Check) => {
      if (decided) return NOT_BEGUN;
      onBegin?.(check);
      return tell(check, await (eachAlone ? runCheck(check, session, seed) : runner.examine(check)));
    };
    const outcomes = await runChecks(orderOf(experiments), run, jobs);
    // The last request of the last check may have ended it.
    await session.isTargetUp();
    if (traffic && passive.length > 0) await run(traffic);
    runner.takeBackAbsences();
    const seen = passive.map((check) => {
      return [check.id, tell(check, observer.outcome(check, session.redact, runner))] as const;
    });
    return new Map([...outcomes, ...session.turned, ...seen]);
  } finally {
    await session.close();
  }
}
