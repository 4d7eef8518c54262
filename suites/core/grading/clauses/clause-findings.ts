import type { ClauseFindings } from "../outcome.ts";

/** The clauses that one of several cases reached. */
interface CaseClauses {
  readonly group: object;
  /** The clauses that were current before the first case. */
  readonly before: readonly string[];
  readonly reached: Set<string>;
  hasFailed: boolean;
}

/** Tracks the current clauses of a check, to which a failure is attributed. */
export class ClauseProgress {
  readonly #all: readonly string[];
  readonly #cases: CaseClauses[] = [];
  /** The current case of each group, the outermost first. */
  readonly #current: CaseClauses[] = [];
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
    for (const { reached } of this.#current) for (const id of clauses) reached.add(id);
  }

  /** Begins the next case of a group. Groups may be nested. */
  beginCase(group: object): void {
    const last = this.#current.at(-1);
    const before = last?.group === group ? last.before : this.#present;
    this.endCases(group);
    const next = { group, before, reached: new Set(before), hasFailed: false };
    this.#current.push(next);
    this.#cases.push(next);
  }

  endCases(group: object): void {
    if (this.#current.at(-1)?.group === group) this.#current.pop();
  }

  /** Records a failure of the current case at these clauses, or else at the current ones. The check continues. */
  fail(clauses: readonly string[] = this.#present): void {
    for (const id of clauses) this.#failed.add(id);
    const failing = this.#current.at(-1);
    if (failing) failing.hasFailed = true;
  }

  /** The clauses that other cases reached, and a failed case of their group didn't. */
  get #missed(): ReadonlySet<string> {
    const missed = this.#cases
      .filter(({ hasFailed }) => hasFailed)
      .flatMap(({ group, reached }) =>
        this.#cases
          .flatMap((other) => (other.group === group ? [...other.reached] : []))
          .filter((id) => !reached.has(id)),
      );
    return new Set(missed);
  }

  /**
   * The findings of a failure at this point. Undefined if the check names no clauses, or if they all fail.
   */
  get findings(): ClauseFindings | undefined {
    const failed = this.#failed.size > 0 ? this.#all.filter((id) => this.#failed.has(id)) : this.#present;
    if (failed.length === 0 || failed.length === this.#all.length) return undefined;
    const missed = this.#missed;
    const hasHeld = (id: string) => this.#passed.has(id) && !missed.has(id);
    const others = this.#all.filter((id) => !failed.includes(id));
    return { failed, held: others.filter(hasHeld), not_reached: others.filter((id) => !hasHeld(id)) };
  }
}

/** A clause's result in a failed check, as shown after the clause. */
export function clauseFinding(id: string, findings: ClauseFindings | undefined): string {
  if (findings === undefined) return "";
  if (findings.failed.includes(id)) return ", failed";
  return findings.held.includes(id) ? ", passed" : ", not reached";
}
