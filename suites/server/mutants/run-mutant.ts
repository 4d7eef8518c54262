import { randomBytes } from "node:crypto";
import { startReferenceServer } from "../../../reference-server/embedded.ts";
import type { Outcome } from "../../core/grading/outcome.ts";
import { outcomesOf, type RunEvent } from "../../engine/events.ts";
import { type RunOptions, run } from "../../engine/run.ts";
import type { AnyCheck } from "../check.ts";
import { type ServerRunOptions, serverTarget } from "../run-target.ts";
import { DEFAULT_POINT, LOOPBACK_RECEIVER } from "../session/sample-data/settings.ts";
import type { FaultyServer } from "./mutant.ts";
import { traffic } from "./traffic.ts";

/** A generous timeout, because several runs share the CPU. */
const ANSWER_MS = 30_000;
/** Divides the waits of a mutant that waits in full. */
const SPEEDUP = 5;
/** Short, because a mutant's effects are either immediate or missing. */
const EVENTUAL_TIMEOUT_MS = 500;
/** A fixed seed, so that failures can be reproduced. */
const SEED = 1;

export interface MutantRunOptions extends Pick<ServerRunOptions, "onBegin">, Pick<RunOptions, "confirms"> {
  readonly start?: typeof startReferenceServer;
  /** The number of concurrent checks. Defaults to 1. */
  readonly jobs?: number;
  /** True to wait for events in full, even if the server is idle. Defaults to false. */
  readonly waitsInFull?: boolean;
  readonly answerMs?: number;
  /** True if no check blocks another. Defaults to true. */
  readonly eachAlone?: boolean;
}

/**
 * Runs checks on a reference server with one fault. Passive checks judge the exchanges of the other checks and of
 * `traffic`.
 */
export async function* eventsOnMutant(
  { mutate }: FaultyServer,
  checks: readonly AnyCheck[],
  {
    start = startReferenceServer,
    jobs = 1,
    answerMs = ANSWER_MS,
    eachAlone = true,
    confirms = true,
    waitsInFull = false,
    ...watch
  }: MutantRunOptions = {},
): AsyncGenerator<RunEvent<AnyCheck>, void, undefined> {
  const controlToken = randomBytes(24).toString("base64url");
  // The suite must detect the fault without the server's own reports.
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
      receiver: { ...LOOPBACK_RECEIVER, ...(waitsInFull ? { speedup: SPEEDUP } : { isIdle: server.isIdle }) },
    };
    const target = serverTarget(settings, { ...watch, traffic, eachAlone, isInProcess: true });
    yield* run(checks, target, { seed: SEED, jobs, confirms, leastConfirmationMs: Number.POSITIVE_INFINITY });
  } finally {
    await server.close();
  }
}

/** The outcomes by check id, after all checks have ended. */
export const runMutant = (
  ...mutantRun: Parameters<typeof eventsOnMutant>
): Promise<ReadonlyMap<string, Outcome>> => outcomesOf(eventsOnMutant(...mutantRun));
