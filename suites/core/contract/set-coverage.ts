import { elementSets, type SetName } from "./element-sets.ts";

/** A check's coverage of a set. */
export interface SetCoverage {
  readonly set: SetName;
  readonly covered: readonly string[];
  readonly missed: readonly string[];
}

/** Records the elements of sets that a check covers. */
export class CoverageRecord {
  readonly #covered = new Map<SetName, Set<string>>();
  readonly #listed = new Map<SetName, readonly string[]>();
  readonly #missing = new Map<SetName, readonly string[]>();

  /**
   * Records covered elements.
   * @param all the whole set, if the target lists it
   * @throws if an element isn't in the set, which is a fault of the suite
   */
  add(set: SetName, elements: readonly string[], all: readonly string[] = elementSets[set].elements): void {
    const unknown = elements.find((one) => !all.includes(one));
    if (unknown !== undefined) throw new Error(`${unknown} isn't one of the ${elementSets[set].label}`);
    const covered = this.#covered.get(set) ?? new Set();
    const before = covered.size;
    for (const one of elements) covered.add(one);
    if (covered.size === before && this.#listed.get(set) === all) return;
    this.#covered.set(set, covered);
    this.#listed.set(set, all);
    this.#missing.set(
      set,
      all.filter((one) => !covered.has(one)),
    );
  }

  /** Elements of a set that the check hasn't covered. */
  missing(set: SetName): readonly string[] {
    return this.#missing.get(set) ?? elementSets[set].elements;
  }

  /** The coverage of each set, with elements in the set's order. */
  get coverage(): readonly SetCoverage[] {
    return [...this.#covered].map(([set, reached]) => {
      const all = this.#listed.get(set) ?? [];
      return {
        set,
        covered: all.filter((one) => reached.has(one)),
        missed: this.missing(set),
      };
    });
  }
}

/** The coverage in words: `7 of 7 operations with a body`, followed by missed elements. */
export function coverageInWords({ set, covered, missed }: SetCoverage): string {
  const words = `${covered.length} of ${covered.length + missed.length} ${elementSets[set].label}`;
  return missed.length === 0 ? words : `${words}; not ${missed.join(", ")}`;
}
