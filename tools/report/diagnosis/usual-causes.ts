import type { GuidanceByGroup } from "../../../suites/core/guidance.ts";
import { nearestFirst } from "../causes/causes.ts";
import { type Ended, failuresOf } from "./fault-candidates.ts";

/** What usually causes failures of a group of checks. */
export interface UsualCauses {
  /** The group: the part of check ids before the dot. */
  readonly group: string;
  readonly causes: readonly string[];
}

/** The usual causes for the group of the failure to read first; undefined if it has less than half of the failures. */
export function usualCausesOf(checks: readonly Ended[], guidance: GuidanceByGroup): UsualCauses | undefined {
  const failures = nearestFirst(failuresOf(checks));
  const groupOf = ({ id }: Ended) => id.split(".")[0] ?? "";
  const [first] = failures;
  if (first === undefined) return undefined;
  const group = groupOf(first);
  if (2 * failures.filter((failure) => groupOf(failure) === group).length < failures.length) return undefined;
  const causes = guidance[group]?.causes ?? [];
  return causes.length === 0 ? undefined : { group, causes };
}

export const usualCausesHeading = ({ group }: UsualCauses): string =>
  `Usual causes of failures in ${group}.*:`;
