import { withOperationNames } from "../../../suites/core/contract/operation-names.ts";
import type { GuidanceByGroup } from "../../../suites/core/guidance.ts";
import type { Cause } from "../causes/causes.ts";
import { type Candidate, candidates, type Ended, failuresOf } from "./fault-candidates.ts";
import type { KnownFaults } from "./known-faults.ts";

export interface Diagnosis {
  readonly mutant: string;
  /** The mutant's fault in words. */
  readonly fault: string;
  readonly checks: readonly string[];
  readonly failing: number;
  /** The number of further known faults that explain as much as the best one. */
  readonly alike: number;
  /** The usual causes, from the guidance on the failed checks. */
  readonly causes: readonly string[];
}

const MAX_NAMED = 3;

/** The group with the most of these checks. */
function groupOf(ids: readonly string[]): string {
  const groups = Map.groupBy(ids, (id) => id.split(".")[0] ?? "");
  const [largest] = [...groups].toSorted(([, one], [, other]) => other.length - one.length);
  return largest?.[0] ?? "";
}

/** The heading of the usual causes. They apply to a whole group of checks. */
export const usualCauses = ({ checks }: Diagnosis): string =>
  `Where ${groupOf(checks)}.* fails, it usually comes of this:`;

/** The check to start with: the only failed one, or the first of a cause that explains all failures. */
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
 * Known faults that resemble the run's failures. A fault has to explain half of them, or the one to fix
 * first.
 * @param checks all checks of the run
 * @param causes the causes of the failures
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
  return near.slice(0, MAX_NAMED).map(({ mutant, known, explained }) => ({
    mutant,
    fault: withOperationNames(known.fault),
    checks: explained,
    failing,
    alike: Math.max(0, near.length - MAX_NAMED),
    causes: guidance[groupOf(explained)]?.causes ?? [],
  }));
}

/** Says that further known faults fit equally well; undefined if none do. */
export function othersLabel([first]: readonly Diagnosis[]): string | undefined {
  if (!first || first.alike === 0) return undefined;
  const others = first.alike === 1 ? "one more that fits" : `one of ${first.alike} more that fit`;
  return `or ${others} as well`;
}

/** The share of failures that it explains, in words. */
export function fitLabel({ checks, failing }: Diagnosis): string {
  if (checks.length < failing) return `${checks.length} of the ${failing} failing checks`;
  return failing === 1 ? "the failing check" : `all ${failing} failing checks`;
}
