import { randomBytes } from "node:crypto";
import { startReferenceServer } from "../../../reference-server/embedded.ts";
import type { Outcome } from "../../core/grading/outcome.ts";
import { outcomesOf, type RunEvent } from "../../engine/events.ts";
import { run } from "../../engine/run.ts";
import type { AnyCheck } from "../check.ts";
import { type ServerRunOptions, serverTarget } from "../run-target.ts";
import { DEFAULT_POINT, LOOPBACK_RECEIVER } from "../session/sample-data/settings.ts";
import type { FaultyServer } from "./mutant.ts";
import { traffic } from "./traffic.ts";

/** Ends what hangs; several runs share a busy processor. */
const ANSWER_MS = 30_000;
/** Divides the time that a run waits for an event which the mutant doesn't send. */
const SPEEDUP = 5;
/** A mutant's effects come at once or never. */
const EVENTUAL_TIMEOUT_MS = 500;
/** One seed for all runs, so that a failure can be reproduced. */
const SEED = 1;

/** How the faulty server is started, and what else is asked of the run. */
export interface MutantRunOptions extends Pick<ServerRunOptions, "onBegin"> {
  readonly start?: typeof startReferenceServer;
  /** The number of concurrent checks; one by default. */
  readonly jobs?: number;
  /** When an answer counts as missing, in milliseconds. */
  readonly answerMs?: number;
  /** True if no check is blocked by another, which is the default. */
  readonly eachAlone?: boolean;
}

/**
 * Runs checks on a reference server with one fault, one after the other. Passive checks look at the traffic of the others
 * and of calls of all operations.
 */
export async function* eventsOnMutant(
  { mutate }: FaultyServer,
  checks: readonly AnyCheck[],
  {
    start = startReferenceServer,
    jobs = 1,
    answerMs = ANSWER_MS,
    eachAlone = true,
    ...watch
  }: MutantRunOptions = {},
): AsyncGenerator<RunEvent<AnyCheck>, void, undefined> {
  const controlToken = randomBytes(24).toString("base64url");
  // The suite finds the fault from outside, so the server's own reports are discarded.
  const server = await start({ mutate, controlToken, reportFault: () => {} });
  try {
    const settings = {
      url: server.url,
      credentials: [],
      pairingCodes: [],
      control: { url: server.controlUrl, token: controlToken },
      point: DEFAULT_POINT,
      answerMs,
      maxWaitMs: 0,
      eventualTimeoutMs: EVENTUAL_TIMEOUT_MS,
      receiver: { ...LOOPBACK_RECEIVER, speedup: SPEEDUP },
    };
    const target = serverTarget(settings, { ...watch, traffic, eachAlone, isInProcess: true });
    yield* run(checks, target, { seed: SEED, jobs, leastConfirmationMs: Number.POSITIVE_INFINITY });
  } finally {
    await server.close();
  }
}

/** The same after all checks have ended: the outcome of each by its id. */
export const runMutant = (
  ...mutantRun: Parameters<typeof eventsOnMutant>
): Promise<ReadonlyMap<string, Outcome>> => outcomesOf(eventsOnMutant(...mutantRun));
