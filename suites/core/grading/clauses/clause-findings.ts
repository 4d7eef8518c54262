import type { ClauseFindings } from "../outcome.ts";

/** Tracks the current clauses of a check, to which a failure is attributed. */
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
   * Sets the clauses of the next expectations.
   * @throws if one of them isn't a clause of the check, which is a fault of the suite
   */
  at(clauses: readonly string[]): void {
    const unknown = clauses.find((id) => !this.#all.includes(id));
    if (unknown !== undefined)
      throw new Error(`the check attributes failures to ${unknown}, which isn't one of its clauses`);
    for (const id of this.#present) this.#passed.add(id);
    this.#present = clauses;
  }

  /** Records a failure at the current clauses. The check continues. */
  fail(): void {
    for (const id of this.#present) this.#failed.add(id);
  }

  /** Records a failure at these clauses instead of the current ones. */
  failAt(clauses: readonly string[]): void {
    for (const id of clauses) this.#failed.add(id);
  }

  /**
   * The findings of a failure at this point. Undefined if the check names no clauses, or if they all fail.
   */
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

/** A clause's result in a failed check, as shown after the clause. */
export function clauseFinding(id: string, findings: ClauseFindings | undefined): string {
  if (findings === undefined) return "";
  if (findings.failed.includes(id)) return ", failed";
  return findings.held.includes(id) ? ", passed" : ", not reached";
}
