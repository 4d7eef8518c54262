import { readClauseList } from "../core/contract/clause-list.ts";
import { failureText } from "../core/grading/failures/failure-text.ts";
import type { Outcome } from "../core/grading/outcome.ts";
import { examine } from "../engine/confirmation.ts";
import type { OpenTarget } from "../engine/target.ts";
import { type AnyCheck, isPassive } from "./check.ts";
import { checks } from "./checks/index.ts";
import { openServer } from "./run-target.ts";
import { settingsOf, type TargetDefinition } from "./session/sample-data/settings.ts";

/** The part of a test context that skips a test. Vitest's test context fits. */
export interface TestContext {
  skip(reason?: string): void;
}

/** A service under test, for checks inside other tests. */
export interface Target {
  /** Runs the check and returns its outcome. A passive check judges all exchanges so far, so call it last. */
  examine(check: AnyCheck): Promise<Outcome>;
  /**
   * Asserts that the check passes.
   * @param context if given, a check that isn't testable skips the test; otherwise it throws
   * @throws ConformanceError if the check didn't pass
   */
  verify(check: AnyCheck, context?: TestContext): Promise<void>;
  /** Cleans up after all checks. */
  close(): Promise<void>;
}

/** A failed check. The message has the check's clauses, the exchange and a curl command. */
export class ConformanceError extends Error {
  override readonly name = "ConformanceError";
  readonly check: string;
  readonly outcome: Outcome;
  readonly expected: string | undefined;
  readonly actual: string | undefined;

  constructor({ id, clauses }: AnyCheck, outcome: Outcome) {
    const failure = failureText({ ...outcome, clauses }, readClauseList().clauses);
    super([`${id}: ${outcome.status}`, ...failure].join("\n"));
    this.check = id;
    this.outcome = outcome;
    this.expected = outcome.expected;
    this.actual = outcome.actual;
  }
}

/**
 * Asserts that a check passed.
 * @param context if given, a check without a result skips the test
 * @throws ConformanceError
 */
export function expectPassed(check: AnyCheck, outcome: Outcome, context?: TestContext): void {
  const { status, message } = outcome;
  if (status === "passed") return;
  if (context && (status === "not_verified" || status === "blocked")) context.skip(message);
  else throw new ConformanceError(check, outcome);
}

/** A target for tests, with a seed. The seed defaults to 1. */
export interface TestedTarget extends TargetDefinition {
  readonly seed?: number;
}

/** Creates a target for tests. It sends nothing before the first check. */
export function defineTarget(tested: TestedTarget): Target {
  const { seed = 1, ...definition } = tested;
  let opening: Promise<OpenTarget<AnyCheck>> | undefined;
  const open = () => {
    // No check blocks another, because a test file may run any checks.
    opening ??= openServer(
      settingsOf(definition),
      { receiver: true, eachAlone: true },
      { checks: checks.filter(isPassive), seed, notice: () => {} },
    );
    return opening;
  };
  const examineOpened = async (check: AnyCheck): Promise<Outcome> => examine(await open(), check);
  return {
    examine: examineOpened,
    verify: async (check, context) => expectPassed(check, await examineOpened(check), context),
    close: async () => {
      const target = await opening?.catch(() => undefined);
      await target?.close();
    },
  };
}
