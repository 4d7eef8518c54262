import { readClauseList } from "../../core/contract/clause-list.ts";
import type { OperationId } from "../../core/contract/document.ts";
import { asAbsent } from "../../core/grading/expectations/absent-operation.ts";
import { blockedBy, type Outcome } from "../../core/grading/outcome.ts";
import { severityOf } from "../../core/grading/suite.ts";
import type { OutcomeOf } from "../../engine/target.ts";
import type { Check } from "../check.ts";
import type { Session } from "../session/session.ts";

/**
 * Decides which checks of a run block others. A check depends on the operations that it calls. If it fails at
 * an operation that never served a valid request, or that isn't called any more, the first check that failed
 * there blocks it.
 */
export class Blocking {
  readonly #session: Session;
  readonly #blockers = new Map<OperationId, string>();
  /** The check that failed in a setup, by operation. */
  readonly #setUps = new Map<OperationId, string>();
  readonly #smokeTests: ReadonlyMap<OperationId, Check>;
  readonly #limitTests: ReadonlyMap<OperationId, Check>;
  /** The original outcomes of checks whose operation was found missing. */
  readonly #foundAbsent: {
    readonly id: string;
    readonly operation: OperationId;
    readonly before: Outcome;
  }[] = [];
  readonly #clauses = readClauseList().clauses;

  /** @param checks all checks of the run */
  constructor(session: Session, checks: readonly Check[]) {
    this.#session = session;
    const checksBy = (name: "smokeTestOf" | "testsLimitOf") =>
      new Map(checks.flatMap((check) => (check[name] ? [[check[name], check] as const] : [])));
    this.#smokeTests = checksBy("smokeTestOf");
    this.#limitTests = checksBy("testsLimitOf");
  }

  /** True if this failure may block other checks. */
  blocksOthers({ smokeTestOf, testsLimitOf }: Check, { operation, set_up }: Outcome): boolean {
    if (smokeTestOf !== undefined || testsLimitOf !== undefined) return true;
    return operation !== undefined && (set_up === true || this.#isMissing(operation));
  }

  /** A check's outcome: blocked if another check's failure explains the outcome. */
  async outcomeOf(check: Check, found: Outcome, endOf: OutcomeOf<Check>): Promise<Outcome> {
    const outcome = await this.#judge(check, found, endOf);
    // If the check couldn't verify its operation, its own blocker also blocks checks that need the operation.
    const { smokeTestOf } = check;
    if (smokeTestOf && outcome.blocked_by !== undefined && this.#isMissing(smokeTestOf)) {
      this.#blockers.set(smokeTestOf, outcome.blocked_by);
    }
    return outcome;
  }

  /** The check that found a required operation missing. Undefined if no check did. */
  blockerOf(operation: OperationId): string | undefined {
    return this.#isMissing(operation) ? this.#blockers.get(operation) : undefined;
  }

  /**
   * Corrects outcomes at the end. If an operation succeeded later, it wasn't missing, so the failure has
   * another cause.
   */
  revokeAbsences(): void {
    for (const { id, operation, before } of this.#foundAbsent) {
      if (this.#session.operations.isServed(operation) && !this.#session.corrections.has(id)) {
        this.#session.corrections.set(id, before);
      }
    }
  }

  #isMissing(operation: OperationId): boolean {
    return this.#session.operations.isMissing(operation);
  }

  /**
   * Blocks a check whose setup failed at an operation that worked for others. Only one check reports the
   * fault: a failed check about the operation or its limit, or else the first check that failed there.
   */
  async #blockedBySetUp(
    check: Check,
    outcome: Outcome,
    operation: OperationId,
    endOf: OutcomeOf<Check>,
  ): Promise<Outcome> {
    const { duration_ms, requests } = outcome;
    const blocker = (await this.#failedCheckOf(operation, endOf)) ?? this.#setUps.get(operation);
    if (blocker !== undefined) return { ...blockedBy(blocker), duration_ms, requests };
    if (this.#isMust(check)) this.#setUps.set(operation, check.id);
    return outcome;
  }

  /**
   * The outcome of a check whose invalid request got a 404 from an operation that no valid request has asked. The
   * 404 may only say that the operation is missing, so what prevented the smoke test's request applies here too.
   */
  async #untriedOutcome(outcome: Outcome, operation: OperationId, endOf: OutcomeOf<Check>): Promise<Outcome> {
    const smokeTest = this.#smokeTests.get(operation);
    const end = smokeTest && asAbsent(outcome) ? await endOf(smokeTest) : undefined;
    if (end?.status !== "blocked" && end?.status !== "not_verified") return outcome;
    const { status, message, skip, blocked_by } = end;
    const { duration_ms, requests } = outcome;
    return {
      status,
      duration_ms,
      requests,
      ...(message !== undefined && { message }),
      ...(skip && { skip }),
      ...(blocked_by !== undefined && { blocked_by }),
    };
  }

  /** Another failed check about the operation. */
  async #failedCheckOf(operation: OperationId, endOf: OutcomeOf<Check>): Promise<string | undefined> {
    for (const smokeTest of [this.#smokeTests.get(operation), this.#limitTests.get(operation)]) {
      if (smokeTest && (await endOf(smokeTest))?.status === "failed") return smokeTest.id;
    }
    return undefined;
  }

  /** A SHOULD check never blocks a MUST check. */
  #isMust({ clauses }: Check): boolean {
    return severityOf(clauses, this.#clauses) === "MUST";
  }

  async #judge(check: Check, outcome: Outcome, endOf: OutcomeOf<Check>): Promise<Outcome> {
    const { operation, status, duration_ms, requests } = outcome;
    if (operation === undefined || (status !== "failed" && status !== "not_verified")) return outcome;
    if (!this.#isMissing(operation)) {
      if (outcome.set_up) return this.#blockedBySetUp(check, outcome, operation, endOf);
      return this.#session.operations.isUntried(operation)
        ? this.#untriedOutcome(outcome, operation, endOf)
        : outcome;
    }
    // Waits for the operation's smoke test, so that this test reports the operation's failure.
    const operationTest = this.#smokeTests.get(operation);
    if (operationTest) await endOf(operationTest);
    if (!this.#isMissing(operation)) return outcome;
    const blocker = this.#blockers.get(operation);
    if (blocker !== undefined) return { ...blockedBy(blocker), duration_ms, requests };
    if (this.#isMust(check) && status === "failed") this.#blockers.set(operation, check.id);
    const absent = asAbsent(outcome);
    if (!absent) return outcome;
    this.#foundAbsent.push({ id: check.id, operation, before: outcome });
    return absent;
  }
}
