import { randomUUID } from "node:crypto";
import { monotonicNow } from "../../../suites/core/clock.ts";
import { CheckSkipped } from "../../../suites/core/grading/failures/failure.ts";
import { keyOf } from "../../../suites/core/signing/webhook-signing.ts";
import { headersOf, newAttempt } from "../../../suites/receiver/session/attempt.ts";
import { EffectsClient } from "../../../suites/receiver/session/effects.ts";
import { testEvent } from "../../../suites/receiver/session/events.ts";
import { HttpClient, NoReply } from "../../../suites/receiver/session/http-client.ts";
import type { ReceiverTarget } from "../../../suites/receiver/session/settings.ts";
import { UsageError } from "../../usage-error.ts";
import { connectionProblem } from "../connection-problem.ts";
import { BURSTS, type Burst, isConcurrent, type Latency } from "./outlook.ts";

/** The response time from which a receiver counts as slow. */
const SLOW_MS = 250;

const isSlow = (answerMs: number): boolean => answerMs >= SLOW_MS;

/** The time limit for the first response. The receiver may be starting, or may be asleep. */
const WARM_UP_MS = 30_000;

/** The result of `requests`. @throws UsageError if the user ends the run first */
async function uninterrupted<T>(requests: Promise<T>, interrupted: Promise<void>): Promise<T> {
  const end = interrupted.then(() => {
    throw new UsageError("interrupted before the run began: nothing was tested");
  });
  return Promise.race([requests, end]);
}

/** With `--without`, declares that a receiver stores no deliveries. */
const NO_DELIVERIES = "stored-deliveries";

/**
 * Sends events before the run, with a longer time limit, and reads the effects interface once. Judges none of the
 * responses. If the first response is slow, bursts of events show whether the receiver only had to start, and how many
 * events it processes at the same time.
 * @param interrupted resolves when the user ends the run
 * @param now returns the time in milliseconds
 * @throws UsageError if the receiver doesn't respond
 */
export async function receiverPreflight(
  target: ReceiverTarget,
  without: readonly string[],
  interrupted: Promise<void> = new Promise(() => {}),
  now: () => number = monotonicNow,
): Promise<Latency> {
  let latency: Latency = { one: Number.POSITIVE_INFINITY, burst: undefined };
  const wire = new HttpClient(target.url);
  try {
    // Waits for all events, because pending events would delay the first checks.
    const sendAtOnce = async (count: number, timeoutMs: number) => {
      const start = now();
      const posts = Array.from({ length: count }, () => {
        const attempt = newAttempt(keyOf(target.secret), testEvent());
        return wire.post(headersOf(attempt), [attempt.body], { timeoutMs });
      });
      const replies = await uninterrupted(Promise.all(posts), interrupted);
      return { statuses: replies.map(({ status }) => status), ms: now() - start };
    };
    const longest = Math.max(WARM_UP_MS, target.answerMs);
    const first = await sendAtOnce(1, longest);
    let one = first.ms;
    let burst: Burst | undefined;
    for (const count of BURSTS) {
      if (!isSlow(one) || (burst && !isConcurrent(one, burst))) break;
      const { statuses, ms } = await sendAtOnce(count, longest + count * one);
      burst = { size: count, answered: statuses.filter((status) => status === first.statuses[0]).length, ms };
      one = Math.min(one, ms);
    }
    latency = { one, burst: isSlow(one) ? burst : undefined };
  } catch (error) {
    if (!(error instanceof NoReply)) throw error;
    const { how, message } = error;
    throw new UsageError(
      `no receiver at ${new URL(target.url).origin}: ${how === "unreachable" ? connectionProblem(error, WARM_UP_MS) : message}`,
    );
  } finally {
    wire.close();
  }
  if (target.effectsUrl === undefined) return latency;
  try {
    const effects = new EffectsClient(target.effectsUrl, target);
    await uninterrupted(effects.processedCount(randomUUID()), interrupted);
    if (without.includes(NO_DELIVERIES)) return latency;
    await uninterrupted(effects.storedDelivery(randomUUID()), interrupted);
  } catch (error) {
    if (!(error instanceof CheckSkipped)) throw error;
    throw new UsageError(`--effects ${target.effectsUrl}: ${error.message}`);
  }
  return latency;
}
