import { readClauseList } from "../core/contract/clause-list.ts";
import { failureText } from "../core/grading/failures/failure-text.ts";
import type { Outcome } from "../core/grading/outcome.ts";
import { examine } from "../engine/confirmation.ts";
import type { OpenTarget } from "../engine/target.ts";
import { type AnyCheck, isPassive } from "./check.ts";
import { checks } from "./checks/index.ts";
import { openServer } from "./run-target.ts";
import { settingsOf, type TargetDefinition } from "./session/sample-data/settings.ts";

/** The part of a test runner's context that reports a test as skipped. Vitest's test context fits. */
export interface TestContext {
  skip(reason?: string): void;
}

/** A service that checks are run on inside tests of one's own. */
export interface Target {
  /** Runs the check and returns its end. A passive check examines the exchanges so far: verify those last. */
  examine(check: AnyCheck): Promise<Outcome>;
  /**
   * The same as an assertion.
   * @param context if given, a check that can't be tested skips the test; otherwise it is an error
   * @throws ConformanceError if the check didn't pass
   */
  verify(check: AnyCheck, context?: TestContext): Promise<void>;
  /** Releases the resources of the target's checks. */
  close(): Promise<void>;
}

/** A check that didn't pass: its message holds the clauses in words, the exchange, and a curl line that repeats it. */
export class ConformanceError extends Error {
  override readonly name = "ConformanceError";
  readonly check: string;
  readonly outcome: Outcome;
  readonly expected: string | undefined;
  readonly actual: string | undefined;

  constructor({ id, clauses }: AnyCheck, outcome: Outcome) {
    const found = failureText({ ...outcome, clauses }, readClauseList().clauses);
    super([`${id}: ${outcome.status}`, ...found].join("\n"));
    this.check = id;
    this.outcome = outcome;
    this.expected = outcome.expected;
    this.actual = outcome.actual;
  }
}

/**
 * Asserts that a check passed.
 * @param context if given, a check that verified nothing skips the test
 * @throws ConformanceError
 */
export function expectPassed(check: AnyCheck, outcome: Outcome, context?: TestContext): void {
  const { status, message } = outcome;
  if (status === "passed") return;
  if (context && (status === "not_testable" || status === "blocked")) context.skip(message);
  else throw new ConformanceError(check, outcome);
}

/** A target for tests, with the seed of everything random (1). */
export interface TestedTarget extends TargetDefinition {
  readonly seed?: number;
}

/** Makes a target for tests of one's own. Nothing is sent before the first check. */
export function defineTarget(tested: TestedTarget): Target {
  const { seed = 1, ...definition } = tested;
  let opening: Promise<OpenTarget<AnyCheck>> | undefined;
  const open = () => {
    // Each check is judged by itself, because a test file may run any subset.
    opening ??= openServer(
      settingsOf(definition),
      { receiver: true, eachAlone: true },
      { checks: checks.filter(isPassive), seed, notice: () => {} },
    );
    return opening;
  };
  const examined = async (check: AnyCheck): Promise<Outcome> => examine(await open(), check);
  return {
    examine: examined,
    verify: async (check, context) => expectPassed(check, await examined(check), context),
    close: async () => {
      const target = await opening?.catch(() => undefined);
      await target?.close();
    },
  };
}
