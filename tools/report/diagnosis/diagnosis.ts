import { withOperationNames } from "../../../suites/core/contract/operation-names.ts";
import type { GuidanceByGroup } from "../../../suites/core/guidance.ts";
import type { Cause } from "../causes/causes.ts";
import { type Candidate, candidates, type Ended, failuresOf } from "./fault-candidates.ts";
import type { KnownFaults } from "./known-faults.ts";

/** A known fault that breaks what the run's failures blame. */
export interface Diagnosis {
  /** The mutant's name. */
  readonly mutant: string;
  /** What is wrong with it, in words. */
  readonly fault: string;
  /** Of the run's failing checks, those that it explains, in the suite's order. */
  readonly checks: readonly string[];
  /** How many of the run's checks fail. */
  readonly failing: number;
  /** How many other known faults explain as much as the best, and aren't named. */
  readonly alike: number;
  /** What is usually behind it, by the guidance on the checks that fail. */
  readonly causes: readonly string[];
}

const MOST_NAMED = 3;

/** The group that most of these checks are of. */
function groupOf(ids: readonly string[]): string {
  const groups = Map.groupBy(ids, (id) => id.split(".")[0] ?? "");
  const [largest] = [...groups].toSorted(([, one], [, other]) => other.length - one.length);
  return largest?.[0] ?? "";
}

/** The heading of the causes: they are of a whole group of checks, of which a fault may break any. */
export const usualCauses = ({ checks }: Diagnosis): string =>
  `Where ${groupOf(checks)}.* fails, it usually comes of this:`;

/** The check that leads: the only one, or the one to begin with of a cause that explains all failures. */
function leadingCheck(failures: readonly string[], causes: readonly Cause[]): string | undefined {
  if (failures.length === 1) return failures[0];
  const explainsAll = ({ checks }: Cause) => failures.every((id) => checks.includes(id));
  return causes.find((cause) => failures.includes(cause.check) && explainsAll(cause))?.check;
}

const byFit = (one: Candidate, other: Candidate): number =>
  other.explained.length - one.explained.length ||
  Number(other.isExact) - Number(one.isExact) ||
  other.likeness - one.likeness;

/**
 * Known faults that the run looks like; none where none fits, or where it would be a guess: one has to explain half of the
 * failures, or the one that leads.
 * @param checks all of the run
 * @param causes what explains the run's failures
 */
export function diagnosesOf(
  checks: readonly Ended[],
  faults: KnownFaults,
  guidance: GuidanceByGroup,
  causes: readonly Cause[],
): readonly Diagnosis[] {
  const failures = failuresOf(checks);
  const failing = failures.length;
  const leading = leadingCheck(
    failures.map(({ id }) => id),
    causes,
  );
  const found = candidates(checks, failures, faults)
    .filter(
      ({ explained }) =>
        2 * explained.length >= failing || (leading !== undefined && explained.includes(leading)),
    )
    .toSorted(byFit);
  const [best] = found;
  if (!best) return [];
  const near = found.filter(
    ({ explained, isExact }) => explained.length === best.explained.length && isExact === best.isExact,
  );
  return near.slice(0, MOST_NAMED).map(({ mutant, known, explained }) => ({
    mutant,
    fault: withOperationNames(known.fault),
    checks: explained,
    failing,
    alike: Math.max(0, near.length - MOST_NAMED),
    causes: guidance[groupOf(explained)]?.causes ?? [],
  }));
}

/** That the faults which are named aren't the only ones; undefined where they are. */
export function othersLabel([first]: readonly Diagnosis[]): string | undefined {
  if (!first || first.alike === 0) return undefined;
  const others = first.alike === 1 ? "one more that fits" : `one of ${first.alike} more that fit`;
  return `or ${others} as well`;
}

/** How much it explains, in words. */
export function fitLabel({ checks, failing }: Diagnosis): string {
  if (checks.length < failing) return `${checks.length} of the ${failing} failing checks`;
  return failing === 1 ? "the failing check" : `all ${failing} failing checks`;
}
