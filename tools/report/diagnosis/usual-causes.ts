import type { GuidanceByGroup } from "../../../suites/core/guidance.ts";
import { type Ended, failuresOf } from "./fault-candidates.ts";

/** What usually causes failures of a group of checks. */
export interface UsualCauses {
  /** The group: the part of check ids before the dot. */
  readonly group: string;
  readonly causes: readonly string[];
}

/** The usual causes for the group with most failures; undefined if it has less than half of the failures. */
export function usualCausesOf(checks: readonly Ended[], guidance: GuidanceByGroup): UsualCauses | undefined {
  const failures = failuresOf(checks);
  const groups = Map.groupBy(failures, ({ id }) => id.split(".")[0] ?? "");
  const [largest] = [...groups].toSorted(([, one], [, other]) => other.length - one.length);
  if (largest === undefined || 2 * largest[1].length < failures.length) return undefined;
  const [group] = largest;
  const causes = guidance[group]?.causes ?? [];
  return causes.length === 0 ? undefined : { group, causes };
}

export const usualCausesHeading = ({ group }: UsualCauses): string =>
  `Usual causes of failures in ${group}.*:`;
