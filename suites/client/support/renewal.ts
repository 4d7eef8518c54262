import { textMember } from "../../core/json.ts";
import { described } from "../../core/text/shown-value.ts";
import type { Evidence } from "../session/evidence.ts";
import type { RecordedRequest } from "../session/request.ts";
import type { Task } from "../session/task.ts";
import { TASK_WORDS } from "../session/task-kind.ts";
import { explainByTokenPerRequest } from "./token-per-request.ts";

/**
 * Milliseconds. After a 401 to another call this recently, a concurrent part of the client may have requested the token for
 * that call.
 */
const PENDING_MS = 1_000;

/** The number of other tasks' 401 responses after which the client may request new tokens during this task. */
const tokensForOtherTasks = (
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

/** Asserts that the client repeated a task once, with one new token, after its first attempt got a 401. */
export function judgeRenewal(evidence: Evidence, task: Task): void {
  const [refused, next] = task.tries;
  if (!refused?.completion) return;
  const what = TASK_WORDS[task.kind];
  const met = `401 ${textMember(refused.completion.response?.json, "error", "code") ?? "without a code"}`;
  if (!next) {
    const note = "the client must get a new token and repeat the request once";
    evidence.fail({ subject: `a retry of ${what} after ${met}`, relation: "to arrive", note }, [refused]);
  }
  const isRefused = next.token === refused.token;
  evidence
    .expectThat(
      `the token of a retry of ${what} after ${met}`,
      described(isRefused ? "the refused token" : "a token that was never issued"),
      task.tries,
    )
    .satisfies("a new token", !isRefused && evidence.issuedAt(next.token) !== undefined);
  const asked = tokenRequests(evidence, task, refused.completion.at, next.arrivedAt);
  const due = 1 + tokensForOtherTasks(evidence, task, refused.arrivedAt, next.arrivedAt);
  explainByTokenPerRequest(evidence, () =>
    evidence.expectThat("the new tokens for a refused call", asked.length, asked).isAtMost(due),
  );
}
