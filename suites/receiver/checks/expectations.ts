import { CheckFailure } from "../../core/grading/failures/failure.ts";
import { isSuccess } from "../../core/responses.ts";
import type { ResponsesContext } from "../check.ts";
import { type Attempt, type DeliverOptions, signedWith } from "../session/attempt.ts";
import { ConnectionClosed } from "../session/connection-lost.ts";
import { sampleEvent } from "../session/events.ts";
import type { Reply } from "../session/http-client.ts";
import { type NegativeControl, NegativeControlAccepted } from "../session/negative-control-accepted.ts";
import { type WrongClock, wrongClockFromAcceptedRange } from "./clock-shift.ts";
import { refusalOf, resultOrUndefined } from "./refusal.ts";
import { REASONS, type Reason, type RequiredRejection } from "./required-rejections.ts";

/** The receiver's wrong clock, if it explains why the receiver accepted a timestamp beyond the tolerance. */
const wrongClockFromAcceptance = (
  context: ResponsesContext,
  attempt: Attempt,
): Promise<WrongClock | undefined> => resultOrUndefined(() => wrongClockFromAcceptedRange(context, attempt));

/** The status of a response, or a closed connection. */
type StatusOrClosed = number | "a closed connection";

const DAY_S = 86_400;
const OTHER_KEY = Buffer.from("a key that isn't the receiver's");

/** Requests that the receiver must refuse for this reason, and for no other. */
function plainRequests(context: ResponsesContext, reason: Reason): readonly Attempt[] {
  const genuine = () => context.attempt(sampleEvent(context));
  const requests: Readonly<Record<Reason, () => readonly Attempt[]>> = {
    forged: () => [signedWith(OTHER_KEY, genuine())],
    stale: () => [context.attempt(sampleEvent(context), { age: DAY_S })],
    incomplete: () =>
      (["id", "timestamp", "signature"] as const).map((name) => ({ ...genuine(), [name]: undefined })),
  };
  return requests[reason]();
}

/** True if two responses mean the same to a sender. All 2xx statuses mean the same. */
const isSameToSender = (one: StatusOrClosed, other: StatusOrClosed): boolean =>
  one === other || (isSuccess({ status: Number(one) }) && isSuccess({ status: Number(other) }));

async function answerTo(
  context: ResponsesContext,
  attempt: Attempt,
  reason: Reason,
): Promise<StatusOrClosed> {
  try {
    return (await context.probe(attempt, { violates: `the request is ${reason}` })).status;
  } catch (error) {
    if (!(error instanceof ConnectionClosed && error.wasAlone)) throw error;
    return "a closed connection";
  }
}

/** True if all requests whose only fault is `reason` get the same wrong response. */
async function answersAllAlike(
  context: ResponsesContext,
  reason: Reason,
  response: StatusOrClosed,
): Promise<boolean> {
  if (response === REASONS[reason]) return false;
  for (const attempt of plainRequests(context, reason)) {
    const answer = await resultOrUndefined(() => answerTo(context, attempt, reason));
    if (answer === undefined || !isSameToSender(answer, response)) return false;
  }
  return true;
}

const listed = (words: readonly (string | number)[], type: "conjunction" | "disjunction"): string =>
  new Intl.ListFormat("en-GB", { type }).format(words.map(String));

/**
 * The fault of a receiver that gives the same wrong response to all requests refused for this reason, in the
 * same words for all failures. Undefined if some responses are right.
 */
async function faultBehind(
  context: ResponsesContext,
  { reason }: RequiredRejection,
  answered: StatusOrClosed,
): Promise<string | undefined> {
  if (!(await answersAllAlike(context, reason, answered))) return undefined;
  const reasons: Reason[] = [];
  for (const one of ["forged", "stale", "incomplete"] as const)
    if (one === reason || (await answersAllAlike(context, one, answered))) reasons.push(one);
  const dues = [...new Set(reasons.map((one) => REASONS[one]))];
  return `the receiver answers ${listed(reasons, "conjunction")} requests with ${answered} instead of ${listed(dues, "disjunction")}`;
}

/**
 * The failure of a receiver that accepted a request or refused it with the wrong status.
 * @param cause the usual cause and fix for an accepted request
 */
async function wrongStatus(
  context: ResponsesContext,
  attempt: Attempt,
  status: number,
  refusal: RequiredRejection,
  violates: string,
  cause?: string,
): Promise<CheckFailure> {
  const isTaken = isSuccess({ status });
  const clock = isTaken ? await wrongClockFromAcceptance(context, attempt) : undefined;
  const fault = clock ? clock.fault : await faultBehind(context, refusal, status);
  // If the receiver accepts all requests with the fault, `cause` isn't the explanation.
  const usual = isTaken && fault === undefined ? cause : undefined;
  const why = clock ? `${clock.fault}, ${clock.fix}` : usual;
  const note = [...(isTaken ? ["accepted as genuine"] : []), ...(why === undefined ? [] : [why])].join(": ");
  return new CheckFailure(
    {
      subject: "the receiver",
      relation: "to answer",
      expected: refusal.statuses,
      actual: status,
      violates,
      note: note || undefined,
    },
    { fault: fault ?? usual },
  );
}

/** The failure of a receiver that closed the connection instead of responding. */
async function closedWithoutAnswer(
  context: ResponsesContext,
  closed: ConnectionClosed,
  refusal: RequiredRejection,
  violates: string,
): Promise<ConnectionClosed> {
  const fault = await faultBehind(context, refusal, "a closed connection");
  return new ConnectionClosed(
    {
      subject: "the receiver",
      relation: "to answer",
      expected: refusal.statuses,
      actual: "a closed connection",
      violates,
    },
    closed.wasAlone,
    { fault },
  );
}

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
