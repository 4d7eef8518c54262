import { textMember } from "../../core/json.ts";
import { described } from "../../core/text/shown-value.ts";
import type { Evidence } from "../session/evidence.ts";
import type { RecordedRequest } from "../session/request.ts";
import type { Task } from "../session/task.ts";
import { TASK_WORDS } from "../session/task-kind.ts";
import { attributeToTokens } from "./token-per-request.ts";

/** If another call was refused this recently, a concurrent client may request the token for it. */
const PENDING_MS = 1_000;

/** The number of 401 responses to other tasks for which new tokens may be requested between two times. */
const refusedBeside = (
  evidence: Evidence,
  { startNumber, tries }: Task,
  from: number,
  to: number,
): number => {
  const since = evidence.isSequential(startNumber) ? from : from - PENDING_MS;
  return evidence.authorised.filter(
    (one) =>
      one.startNumber === startNumber &&
      !tries.includes(one) &&
      one.completion?.response?.status === 401 &&
      one.completion.at > since &&
      one.arrivedAt < to,
  ).length;
};

const tokenRequests = (
  evidence: Evidence,
  { startNumber }: Task,
  from: number,
  to: number,
): readonly RecordedRequest[] =>
  evidence.requests.filter(
    (one) =>
      one.operation === "obtainToken" &&
      one.startNumber === startNumber &&
      one.arrivedAt > from &&
      one.arrivedAt < to,
  );

/** Asserts that a task whose first attempt got a 401 was repeated once with one new token. */
export function judgeRenewal(evidence: Evidence, task: Task): void {
  const [refused, next] = task.tries;
  if (!refused?.completion) return;
  const what = TASK_WORDS[task.kind];
  const met = `401 ${textMember(refused.completion.response?.json, "error", "code") ?? "without a code"}`;
  if (!next) {
    const note = "a new token, and the request once more";
    evidence.fail({ subject: `a retry of ${what} after ${met}`, relation: "to arrive", note }, [refused]);
  }
  const isRefused = next.token === refused.token;
  evidence
    .expectThat(
      `the token of a retry of ${what} after ${met}`,
      described(isRefused ? "the refused one" : "one that was never issued"),
      task.tries,
    )
    .satisfies("a new one", !isRefused && evidence.issuedAt(next.token) !== undefined);
  const asked = tokenRequests(evidence, task, refused.completion.at, next.arrivedAt);
  const due = 1 + refusedBeside(evidence, task, refused.arrivedAt, next.arrivedAt);
  attributeToTokens(evidence, () =>
    evidence.expectThat("the new tokens for a refused call", asked.length, asked).isAtMost(due),
  );
}
