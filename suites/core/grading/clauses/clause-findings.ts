import type { ClauseFindings } from "../outcome.ts";

/** Follows which of its clauses a check is at, so that a failure is attributed to those and to no others. */
export class ClauseProgress {
  readonly #all: readonly string[];
  readonly #passed = new Set<string>();
  readonly #failed = new Set<string>();
  #present: readonly string[] = [];

  /** @param all the check's clauses */
  constructor(all: readonly string[]) {
    this.#all = all;
  }

  /**
   * States that the next expectations are about these clauses.
   * @throws if one isn't the check's, which is a fault of the suite
   */
  at(clauses: readonly string[]): void {
    const strange = clauses.find((id) => !this.#all.includes(id));
    if (strange !== undefined)
      throw new Error(`the check says that it is at ${strange}, which isn't its own`);
    for (const id of this.#present) this.#passed.add(id);
    this.#present = clauses;
  }

  /** Records a failure at the current clauses. The check goes on. */
  fail(): void {
    for (const id of this.#present) this.#failed.add(id);
  }

  /** Records a failure at these of its clauses, independent of the current ones. */
  failAt(clauses: readonly string[]): void {
    for (const id of clauses) this.#failed.add(id);
  }

  /** Findings of a failure at this point. Undefined if the check names no clauses, or all of them. */
  get findings(): ClauseFindings | undefined {
    const failed = this.#failed.size > 0 ? this.#all.filter((id) => this.#failed.has(id)) : this.#present;
    if (failed.length === 0 || failed.length === this.#all.length) return undefined;
    const others = this.#all.filter((id) => !failed.includes(id));
    return {
      failed,
      held: others.filter((id) => this.#passed.has(id)),
      not_reached: others.filter((id) => !this.#passed.has(id)),
    };
  }
}

/** The remark beside a clause's words if a failed check says how the clause ended. */
export function clauseFinding(id: string, findings: ClauseFindings | undefined): string {
  if (findings === undefined) return "";
  if (findings.failed.includes(id)) return ", failed";
  return findings.held.includes(id) ? ", held" : ", not reached";
}
