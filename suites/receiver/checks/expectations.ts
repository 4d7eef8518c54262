import { isSuccess } from "../../core/responses.ts";
import type { ResponsesContext } from "../check.ts";
import { type Attempt, type DeliverOptions, signedWith } from "../session/attempt.ts";
import { ConnectionClosed } from "../session/connection-lost.ts";
import { sampleEvent } from "../session/events.ts";
import type { Reply } from "../session/http-client.ts";
import { type NegativeControl, NegativeControlAccepted } from "../session/negative-control-accepted.ts";
import { refusalOf } from "./refusal.ts";
import type { RequiredRejection } from "./required-rejections.ts";
import { closedWithoutAnswer, OTHER_KEY, wrongStatus } from "./wrong-answers.ts";

/**
 * A content type with a charset. Some receivers require a charset, although the specification doesn't mention
 * it.
 */
const WITH_CHARSET = "application/json; charset=utf-8";

/** Sends a genuine event and expects a 2xx status. */
export async function expectAccepted(
  context: ResponsesContext,
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

/**
 * Sends the event again with a charset, if the receiver has accepted no event yet. If the receiver accepts
 * that, all later requests have a charset.
 */
async function withCharset(
  context: ResponsesContext,
  attempt: Attempt,
  options: DeliverOptions,
): Promise<Reply | undefined> {
  if (context.hasAcceptedAny || options.contentType !== undefined) return undefined;
  const reply = await context.probe(attempt, { ...options, contentType: WITH_CHARSET });
  if (!isSuccess(reply)) return undefined;
  context.useContentType(WITH_CHARSET);
  context.note(`all later events are sent as ${WITH_CHARSET}: without a charset none was accepted`);
  return reply;
}

/**
 * Sends an invalid event and expects one of the statuses of `refusal`.
 * @param cause the usual cause and fix if the receiver accepts the event
 */
export async function expectRefused(
  context: ResponsesContext,
  attempt: Attempt,
  violates: string,
  refusal: RequiredRejection,
  cause?: string,
): Promise<void> {
  try {
    const { status } = await context.deliver(attempt, { violates });
    if (refusal.statuses.includes(status)) return;
    throw await wrongStatus(context, attempt, status, refusal, violates, cause);
  } catch (error) {
    // Sends the attempt again alone, because a concurrent request may have made the receiver close the
    // connection.
    if (!(error instanceof ConnectionClosed && error.wasAlone)) throw error;
    throw await closedWithoutAnswer(context, error, refusal, violates);
  }
}

/**
 * Sends an event that the receiver must refuse. Another check judges the status.
 * @returns the response; undefined if the receiver closed the connection instead
 */
export async function deliverFaulty(
  context: ResponsesContext,
  attempt: Attempt,
  violates: string,
): Promise<Reply | undefined> {
  try {
    return await context.deliver(attempt, { violates });
  } catch (error) {
    if (!(error instanceof ConnectionClosed && error.wasAlone)) throw error;
    return undefined;
  }
}

/**
 * Sends a forged copy of a genuine event as a negative control: the receiver must refuse it. Another check
 * judges the status.
 * @throws NegativeControlAccepted if the receiver accepts the forged event
 */
export async function expectNegativeControlRefused(
  context: ResponsesContext,
  attempt: Attempt,
  violates: string,
  control: NegativeControl,
): Promise<void> {
  const reply = await deliverFaulty(context, attempt, violates);
  if (reply && isSuccess(reply)) throw new NegativeControlAccepted(control);
}

/**
 * Asserts that the receiver distinguishes genuine events from forged ones. Without that, its responses prove
 * nothing.
 */
export async function expectToVerifySignatures(context: ResponsesContext): Promise<void> {
  await expectAccepted(context, context.attempt(sampleEvent(context)));
  const forged = signedWith(OTHER_KEY, context.attempt(sampleEvent(context)));
  await expectNegativeControlRefused(context, forged, "the signature is made with another key", "forged");
}
