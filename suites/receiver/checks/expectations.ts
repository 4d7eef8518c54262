import { realNow } from "../../core/clock.ts";
import { CheckFailure } from "../../core/failure.ts";
import { isSuccess } from "../../core/responses.ts";
import type { AnswersContext, DeliverOptions } from "../check.ts";
import { type Attempt, signedWith } from "../session/attempt.ts";
import { anEvent } from "../session/events.ts";
import type { Reply } from "../session/http-client.ts";

/** What a receiver may answer to a request that it has to refuse, by what is wrong with it. */
export const REFUSED = {
  /** A signature that doesn't match. */
  forged: [401],
  /** A header is missing, or the timestamp stale. */
  stale: [400],
  incomplete: [400],
  /** Something that can't be read, or two things wrong (OPEN-205). */
  unreadable: [400, 401],
} as const;

/** Seconds by which two clocks may differ before it is worth a word. */
const NOTABLE_SKEW_S = 5;

/** What a refusal of a fresh event with 400 may have to do with clocks. */
function clocks({ headers }: Reply): string {
  const seconds = Math.round((Date.parse(headers.date ?? "") - realNow()) / 1000);
  if (Number.isNaN(seconds)) return " (where clocks differ by minutes, a fresh event looks stale)";
  if (Math.abs(seconds) < NOTABLE_SKEW_S) return "";
  const where = seconds < 0 ? "behind" : "ahead of";
  return ` (its Date header is ${Math.abs(seconds)} s ${where} this machine's clock: where they differ, a fresh event looks stale)`;
}

/** What is usually behind an answer to a genuine event that is no 2xx. */
function usualCause(reply: Reply): string {
  const { status } = reply;
  if (status === 400) return clocks(reply);
  if (status === 401) return " (does the receiver have the same secret?)";
  if (status === 404 || status === 405) return " (is --url the address that takes webhooks?)";
  if (status === 413) return " (the limit for bodies is too low)";
  return status >= 300 && status <= 399 ? " (a redirect isn't followed, and counts as a failure)" : "";
}

/** Sends a genuine event, which has to be answered with a 2xx status. */
export async function accepted(
  context: AnswersContext,
  attempt: Attempt,
  what = "a genuine event",
  options: DeliverOptions = {},
): Promise<Reply> {
  const reply = await context.deliver(attempt, options);
  if (isSuccess(reply)) return reply;
  throw new CheckFailure(`${what} was answered with ${reply.status}${usualCause(reply)}`, {
    expected: "any 2xx status",
    actual: reply.status,
  });
}

/**
 * Sends an event with something wrong about it, which has to be refused with one of these statuses.
 * @param cause what is usually behind another answer, and how to mend it
 */
export async function refused(
  context: AnswersContext,
  attempt: Attempt,
  violates: string,
  statuses: readonly number[],
  cause?: string,
): Promise<void> {
  const reply = await context.deliver(attempt, { violates });
  if (statuses.includes(reply.status)) return;
  throw new CheckFailure(
    `${isSuccess(reply) ? "taken for genuine" : `answered with ${reply.status}`}: ${violates}${cause === undefined ? "" : ` (${cause})`}`,
    { expected: statuses.join(" or "), actual: reply.status },
  );
}

/**
 * Shows that the receiver tells genuine events from others: what accepts everything, or nothing, shows nothing by it.
 */
export async function tellsApart(context: AnswersContext): Promise<void> {
  await accepted(context, context.attempt(anEvent()));
  await refused(
    context,
    signedWith(Buffer.from("a key that is none of its own"), context.attempt(anEvent())),
    "the signature is made with another key",
    REFUSED.forged,
  );
}
