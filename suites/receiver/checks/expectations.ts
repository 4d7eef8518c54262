import { isSuccess } from "../../core/responses.ts";
import type { AnswersContext } from "../check.ts";
import { type Attempt, type DeliverOptions, signedWith } from "../session/attempt.ts";
import { ConnectionClosed } from "../session/connection-lost.ts";
import { sampleEvent } from "../session/events.ts";
import type { Reply } from "../session/http-client.ts";
import { type NegativeControl, NegativeControlAccepted } from "../session/negative-control-accepted.ts";
import { refusalOf } from "./refusal.ts";
import type { RequiredRejection } from "./required-rejections.ts";
import { closedWithoutAnswer, OTHER_KEY, wrongStatus } from "./wrong-answers.ts";

/** A content type that a receiver may require, although the specification doesn't mention a charset. */
const WITH_CHARSET = "application/json; charset=utf-8";

/** Sends a genuine event and expects a 2xx status. */
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

/**
 * Sends the event again with a charset, if the receiver has accepted no event yet. If that helps, all later
 * requests have one.
 */
async function withCharset(
  context: AnswersContext,
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
 * Sends an invalid event and expects one of these statuses.
 * @param cause the usual cause and fix if the receiver accepts the event
 */
export async function expectRefused(
  context: AnswersContext,
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
    // Another request may have closed the connection. This one is sent alone to find out.
    if (!(error instanceof ConnectionClosed && error.wasAlone)) throw error;
    throw await closedWithoutAnswer(context, error, refusal, violates);
  }
}

/**
 * Sends an event that must be refused. Another check judges the status.
 * @returns the response; undefined if the connection was closed instead
 */
export async function deliverFaulty(
  context: AnswersContext,
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
 * Sends the negative control of a genuine event, which must be refused. Another check judges the status.
 * @throws NegativeControlAccepted if it is accepted
 */
export async function expectNegativeControlRefused(
  context: AnswersContext,
  attempt: Attempt,
  violates: string,
  control: NegativeControl,
): Promise<void> {
  const reply = await deliverFaulty(context, attempt, violates);
  if (reply && isSuccess(reply)) throw new NegativeControlAccepted(control);
}

/**
 * Verifies that the receiver distinguishes genuine events from forged ones. Otherwise its responses prove
 * nothing.
 */
export async function expectToVerifySignatures(context: AnswersContext): Promise<void> {
  await expectAccepted(context, context.attempt(sampleEvent(context)));
  const forged = signedWith(OTHER_KEY, context.attempt(sampleEvent(context)));
  await expectNegativeControlRefused(context, forged, "the signature is made with another key", "forged");
}
