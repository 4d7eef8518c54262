import { withOperationNames } from "../../../suites/core/contract/operation-names.ts";
import { type Candidate, candidates, type Ended, failuresOf } from "./fault-candidates.ts";
import type { KnownFaults } from "./known-faults.ts";

export interface Diagnosis {
  readonly mutant: string;
  /** The mutant's fault in words. */
  readonly fault: string;
  readonly checks: readonly string[];
  readonly failing: number;
}

/** If more faults explain a run equally well, no fault is named, because a guess would mislead the user. */
const MAX_NAMED = 3;

/**
 * Orders faults from the most to the least likely: by the number of failed checks that the fault explains, by the number
 * of these checks that catch the fault's mutant, exact fits first, and by the fewest broken clauses and other checks that
 * catch it.
 */
const byFit = (one: Candidate, other: Candidate): number =>
  other.explained.length - one.explained.length ||
  other.catchingChecks - one.catchingChecks ||
  Number(other.isExact) - Number(one.isExact) ||
  one.known.breaks.length - other.known.breaks.length ||
  one.otherCatchingChecks - other.otherCatchingChecks;

/**
 * The known faults that explain the run's failures best; none if more than three do. A fault has to explain more
 * than half of the failures that don't name their fault, and half of all.
 * @param checks all checks of the run
 */
export function diagnosesOf(checks: readonly Ended[], faults: KnownFaults): readonly Diagnosis[] {
  const failures = failuresOf(checks);
  const failing = failures.length;
  const unnamed = failures.filter(({ fault }) => fault === undefined).length;
  const found = candidates(checks, failures, faults)
    .filter(({ explained }) => 2 * explained.length > unnamed && 2 * explained.length >= failing)
    .toSorted(byFit);
  const equal = found.filter((candidate) => found[0] !== undefined && byFit(found[0], candidate) === 0);
  const sameFault = Map.groupBy(equal, ({ known }) => known.fault);
  const best = [...sameFault.values()].flatMap((alike) => alike.slice(0, 1));
  if (best.length > MAX_NAMED) return [];
  return best.map(({ mutant, known, explained }) => ({
    mutant,
    fault: withOperationNames(known.fault),
    checks: explained,
    failing,
  }));
}

/** How many of the failures the fault explains, in words. */
export function fitLabel({ checks, failing }: Diagnosis): string {
  if (checks.length < failing) return `${checks.length} of the ${failing} failing checks`;
  return failing === 1 ? "the failing check" : `all ${failing} failing checks`;
}
