import { randomBytes } from "node:crypto";
import { DEFAULT_KINDS } from "../../core/contract/event-kinds.ts";
import type { Outcome } from "../../core/grading/outcome.ts";
import { outcomesOf } from "../../engine/events.ts";
import { type RunOptions, run } from "../../engine/run.ts";
import type { ReceiverCheck } from "../check.ts";
import { correctDependencies } from "../reference-receiver/dependencies.ts";
import { serveReceiver } from "../reference-receiver/serve.ts";
import { receiverTarget } from "../run-target.ts";
import type { ReceiverMutant } from "./mutant.ts";

/**
 * A receiver in this process responds within a few milliseconds. After this time, it counts as one that doesn't
 * respond.
 */
const LIMIT_MS = 1_000;
const RETURN_MS = 100;
const EFFECT_MS = 300;
/** A fixed seed, so that results can be reproduced. */
const SEED = 1;

const JOBS = 4;

/**
 * Runs checks one after another on a receiver with one fault, and returns their outcomes.
 * @param all the checks that run concurrently with a whole-run check
 */
export async function runReceiverMutant(
  mutant: ReceiverMutant,
  checks: readonly ReceiverCheck[],
  all: readonly ReceiverCheck[],
  options: Pick<RunOptions, "confirms"> = {},
): Promise<ReadonlyMap<string, Outcome>> {
  const beside = all.filter(({ needs, exclusive, burst }) => needs.length === 0 && !exclusive && !burst);
  const outcomes = new Map<string, Outcome>();
  for (const check of checks)
    outcomes.set(check.id, await runOnFreshReceiver(mutant, check, beside, options));
  return outcomes;
}

/** Runs a check on a new receiver, which has no state from earlier checks. */
async function runOnFreshReceiver(
  mutant: ReceiverMutant,
  check: ReceiverCheck,
  beside: readonly ReceiverCheck[],
  options: Pick<RunOptions, "confirms">,
): Promise<Outcome> {
  const secret = `whsec_${randomBytes(24).toString("base64")}`;
  const receiver = await serveReceiver(mutant.mutate(correctDependencies(secret)));
  const settings = {
    url: receiver.url,
    secret,
    effectsUrl: receiver.effectsUrl,
    eventTypes: DEFAULT_KINDS,
    statuses: {},
    answerMs: LIMIT_MS,
    limitMs: LIMIT_MS,
    returnMs: RETURN_MS,
    effectMs: EFFECT_MS,
  };
  // A fault must be found with concurrent deliveries too. There, only passed checks count.
  const target = receiverTarget(settings, { isInProcess: true, atOnce: JOBS });
  try {
    const checks = check.wholeRun ? [...beside, check] : [check];
    const outcomes = await outcomesOf(run(checks, target, { seed: SEED, jobs: JOBS, ...options }));
    const outcome = outcomes.get(check.id);
    if (!outcome) throw new Error(`${check.id} didn't run`);
    return outcome;
  } finally {
    await receiver.close();
  }
}
