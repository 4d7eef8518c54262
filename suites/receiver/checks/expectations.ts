import { CheckFailure } from "../../core/grading/failure.ts";
import { isSuccess } from "../../core/responses.ts";
import type { AnswersContext, DeliverOptions } from "../check.ts";
import { type Attempt, signedWith } from "../session/attempt.ts";
import { sampleEvent } from "../session/events.ts";
import type { Reply } from "../session/http-client.ts";
import { clockThatTook, refusalOf } from "./refusal.ts";

/** What a receiver may answer to a request that it has to refuse, by what is wrong with it. */
export const REFUSAL_STATUSES = {
  /** A signature that doesn't match. */
  forged: [401],
  /** A header is missing, or the timestamp stale. */
  stale: [400],
  incomplete: [400],
  /** Something that can't be read, or two things wrong (OPEN-205). */
  unreadable: [400, 401],
} as const;

/** Content types that a receiver may insist on, though nothing is said of a charset. */
const WITH_CHARSET = "application/json; charset=utf-8";

/** Sends a genuine event, which has to be answered with a 2xx status. */
export async function expectAccepted(
  context: AnswersContext,
  attempt: Attempt,
  what = `a genuine event (${attempt.kind})`,
  options: DeliverOptions = {},
): Promise<Reply> {
  const reply = await context.deliver(attempt, options);
  if (isSuccess(reply)) return reply;
  const again = await withCharset(context, attempt, options);
  if (again !== undefined) return again;
  throw await refusalOf(context, attempt, reply, what);
}

/** The answer of a receiver that insists on a charset, before it took any event: from then on it gets one. */
async function withCharset(
  context: AnswersContext,
  attempt: Attempt,
  options: DeliverOptions,
): Promise<Reply | undefined> {
  if (context.hasTakenAny || options.contentType !== undefined) return undefined;
  const reply = await context.probe(attempt, { ...options, contentType: WITH_CHARSET });
  if (!isSuccess(reply)) return undefined;
  context.useContentType(WITH_CHARSET);
  context.account(`events are sent as ${WITH_CHARSET} from here on: without a charset none was taken`);
  return reply;
}

/**
 * Sends an event with something wrong about it, which has to be refused with one of these statuses.
 * @param cause what is usually behind it where it is taken, and how to mend that
 */
export async function expectRefused(
  context: AnswersContext,
  attempt: Attempt,
  violates: string,
  statuses: readonly number[],
  cause?: string,
): Promise<void> {
  const reply = await context.deliver(attempt, { violates });
  if (statuses.includes(reply.status)) return;
  const isTaken = isSuccess(reply);
  const clock = isTaken ? await clockThatTook(context, attempt) : undefined;
  const hint = isTaken && cause !== undefined ? ` (${cause})` : "";
  const why = clock ? `: ${clock.fault}, ${clock.told}` : hint;
  throw new CheckFailure(
    `${isTaken ? "taken for genuine" : `answered with ${reply.status}`}: ${violates}${why}`,
    { expected: statuses.join(" or "), actual: reply.status, ...(clock && { fault: clock.fault }) },
  );
}

/**
 * Shows that the receiver tells genuine events from others: what accepts everything, or nothing, shows nothing by it.
 */
export async function expectToVerifySignatures(context: AnswersContext): Promise<void> {
  await expectAccepted(context, context.attempt(sampleEvent(context)));
  await expectRefused(
    context,
    signedWith(Buffer.from("a key that is none of its own"), context.attempt(sampleEvent(context))),
    "the signature is made with another key",
    REFUSAL_STATUSES.forged,
  );
}
