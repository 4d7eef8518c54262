import { CheckFailure } from "../../core/grading/failures/failure.ts";
import { isSuccess } from "../../core/responses.ts";
import type { AnswersContext } from "../check.ts";
import { type Attempt, signedWith } from "../session/attempt.ts";
import { ConnectionClosed } from "../session/connection-lost.ts";
import { sampleEvent } from "../session/events.ts";
import { clockBehindWrongBounds, type WrongClock } from "./clock-shift.ts";
import { tried } from "./refusal.ts";
import { REASONS, type Reason, type RequiredRejection } from "./required-rejections.ts";

/**
 * Diagnoses an accepted event with a timestamp beyond the tolerance. Returns the receiver's wrong clock, or
 * undefined.
 */
const clockThatTook = (context: AnswersContext, attempt: Attempt): Promise<WrongClock | undefined> =>
  tried(() => clockBehindWrongBounds(context, attempt));

/** The status of a response, or a closed connection. */
type Answered = number | "a closed connection";

const DAY_S = 86_400;
/** A secret that isn't the receiver's. */
export const OTHER_KEY = Buffer.from("a key that is none of its own");

/** Requests that must be refused for this reason alone. */
function plainRequests(context: AnswersContext, reason: Reason): readonly Attempt[] {
  const genuine = () => context.attempt(sampleEvent(context));
  const requests: Readonly<Record<Reason, () => readonly Attempt[]>> = {
    forged: () => [signedWith(OTHER_KEY, genuine())],
    stale: () => [context.attempt(sampleEvent(context), { age: DAY_S })],
    incomplete: () =>
      (["id", "timestamp", "signature"] as const).map((name) => ({ ...genuine(), [name]: undefined })),
  };
  return requests[reason]();
}

/** True if two responses mean the same to a sender, like all 2xx. */
const isAlike = (one: Answered, other: Answered): boolean =>
  one === other || (isSuccess({ status: Number(one) }) && isSuccess({ status: Number(other) }));

async function answerTo(context: AnswersContext, attempt: Attempt, reason: Reason): Promise<Answered> {
  try {
    return (await context.probe(attempt, { violates: `a request that is ${reason}` })).status;
  } catch (error) {
    if (!(error instanceof ConnectionClosed && error.wasAlone)) throw error;
    return "a closed connection";
  }
}

/** True if all requests with only this fault get the same wrong response. */
async function answersAllSo(context: AnswersContext, reason: Reason, answered: Answered): Promise<boolean> {
  if (answered === REASONS[reason]) return false;
  for (const attempt of plainRequests(context, reason)) {
    const answer = await tried(() => answerTo(context, attempt, reason));
    if (answer === undefined || !isAlike(answer, answered)) return false;
  }
  return true;
}

const listed = (words: readonly (string | number)[], type: "conjunction" | "disjunction"): string =>
  new Intl.ListFormat("en-GB", { type }).format(words.map(String));

/**
 * The fault of a receiver that always gives the same wrong response to requests of this kind, with the same
 * wording for all of its failures. Undefined if some responses are right.
 */
async function faultBehind(
  context: AnswersContext,
  { reason }: RequiredRejection,
  answered: Answered,
): Promise<string | undefined> {
  if (!(await answersAllSo(context, reason, answered))) return undefined;
  const reasons: Reason[] = [];
  for (const one of ["forged", "stale", "incomplete"] as const)
    if (one === reason || (await answersAllSo(context, one, answered))) reasons.push(one);
  const dues = [...new Set(reasons.map((one) => REASONS[one]))];
  return `the receiver answers ${listed(reasons, "conjunction")} requests with ${answered} instead of ${listed(dues, "disjunction")}`;
}

/**
 * The failure of a receiver that accepted a request or refused it with the wrong status.
 * @param cause the usual cause and fix for an accepted request
 */
export async function wrongStatus(
  context: AnswersContext,
  attempt: Attempt,
  status: number,
  refusal: RequiredRejection,
  violates: string,
  cause?: string,
): Promise<CheckFailure> {
  const isTaken = isSuccess({ status });
  const clock = isTaken ? await clockThatTook(context, attempt) : undefined;
  const fault = clock ? clock.fault : await faultBehind(context, refusal, status);
  // If all such requests are accepted, the fault has another cause.
  const usual = isTaken && fault === undefined ? cause : undefined;
  const why = clock ? `${clock.fault}, ${clock.told}` : usual;
  const note = [...(isTaken ? ["taken as genuine"] : []), ...(why === undefined ? [] : [why])].join(": ");
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
export async function closedWithoutAnswer(
  context: AnswersContext,
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
