import { type CaseGroup, cases } from "../../core/grading/expectations/each-element.ts";
import { described } from "../../core/text/shown-value.ts";
import type { Evidence } from "../session/evidence.ts";
import type { RecordedRequest } from "../session/request.ts";
import { keyOf, type Task } from "../session/task.ts";
import { TASK_WORDS } from "../session/task-kind.ts";

const faultOf = ([first]: readonly RecordedRequest[]): string => first?.fault ?? "nothing";

/** The client's calls as cases, each named by its kind and its first fault. */
export const callsWithFaults = (tasks: readonly Task[]): CaseGroup<Task> =>
  cases("calls", tasks, ({ kind, tries }) => `${kind} that got ${faultOf(tries)}`);

/** Asserts that the client repeated a task at least once. */
export function expectRetry(evidence: Evidence, { kind, tries }: Task): void {
  if (tries.length > 1) return;
  const subject = `a retry of ${TASK_WORDS[kind]}`;
  evidence.fail({ subject, relation: "to arrive", note: `the call got ${faultOf(tries)}` }, tries);
}

/** Fails a request that the client repeated after a final refusal. */
export function failOnRetry(
  evidence: Evidence,
  what: string,
  [refused, again]: readonly [RecordedRequest, RecordedRequest],
): never {
  const isAnew = keyOf(again) !== keyOf(refused);
  return evidence.fail(
    {
      subject: `retry of ${what} after ${refused.fault}`,
      relation: "not to arrive",
      ...(isAnew && { actual: "a retry with another Idempotency-Key" }),
    },
    [refused, again],
  );
}

/** Fails an order that the client repeated without its Idempotency-Key. */
export function failOnKey(
  evidence: Evidence,
  what: string,
  pair: readonly [RecordedRequest, RecordedRequest],
): never {
  const [expected = described("that of the previous attempt"), actual = described("no such header")] =
    pair.map(keyOf);
  return evidence.fail(
    { subject: `the Idempotency-Key of ${what}`, relation: "to be", expected, actual },
    pair,
  );
}
