import { CheckFailure } from "../../core/grading/failure.ts";
import { isSuccess } from "../../core/responses.ts";
import type { AnswersContext } from "../check.ts";
import { type Attempt, signedWith } from "../session/attempt.ts";
import { ConnectionClosed } from "../session/connection-lost.ts";
import { sampleEvent } from "../session/events.ts";
import { REASONS, type Reason, type Refusal } from "./due-refusals.ts";
import { clockThatTook, tried } from "./refusal.ts";

/** The status of an answer, or that the connection was closed in its place. */
export type Answered = number | "a closed connection";

const DAY_S = 86_400;
/** No receiver has this one. */
export const OTHER_KEY = Buffer.from("a key that is none of its own");

/** Requests that have to be refused for this reason, and have nothing else wrong with them. */
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

/** Whether these are the same to a sender: one 2xx is as good as another. */
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

/** Whether plain requests of this kind are answered so, wrongly: then it's no matter of the one request. */
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
 * What is wrong with a receiver that answers all that it has to refuse for this reason so, in a line that is the same in all
 * failures that come of it; undefined where it answers others rightly.
 */
async function faultBehind(
  context: AnswersContext,
  { reason }: Refusal,
  answered: Answered,
): Promise<string | undefined> {
  if (!(await answersAllSo(context, reason, answered))) return undefined;
  const reasons: Reason[] = [];
  for (const one of ["forged", "stale", "incomplete"] as const)
    if (one === reason || (await answersAllSo(context, one, answered))) reasons.push(one);
  const dues = [...new Set(reasons.map((one) => REASONS[one]))];
  return `the receiver answers ${listed(reasons, "conjunction")} requests with ${answered} in place of ${listed(dues, "disjunction")}`;
}

/**
 * The failure of a receiver that answered something that it has to refuse with another status.
 * @param cause what is usually behind it where it is taken, and how to mend that
 */
export async function wrongStatus(
  context: AnswersContext,
  attempt: Attempt,
  status: number,
  refusal: Refusal,
  violates: string,
  cause?: string,
): Promise<CheckFailure> {
  const isTaken = isSuccess({ status });
  const clock = isTaken ? await clockThatTook(context, attempt) : undefined;
  const fault = clock ? clock.fault : await faultBehind(context, refusal, status);
  // The usual cause explains nothing if all such requests are accepted.
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
    { fault },
  );
}

/** The failure of one that closed the connection in place of an answer. */
export async function closedWithoutAnswer(
  context: AnswersContext,
  closed: ConnectionClosed,
  refusal: Refusal,
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
    fault,
  );
}
