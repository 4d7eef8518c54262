import type { GuidanceByGroup } from "../../../suites/core/guidance.ts";
import { type Ended, failuresOf } from "./fault-candidates.ts";

/** What usually causes failures of a group of checks. */
export interface UsualCauses {
  /** The group: the part of check ids before the dot. */
  readonly group: string;
  readonly causes: readonly string[];
}

const groupOf = ({ id }: Ended) => id.split(".")[0] ?? "";

/**
 * The usual causes for a group that has all failures, if at least half of its checks failed. The usual causes fail many
 * checks of a group. A fault that fails few checks is named by their messages.
 */
export function usualCausesOf(checks: readonly Ended[], guidance: GuidanceByGroup): UsualCauses | undefined {
  const failures = failuresOf(checks).filter(({ fault }) => fault === undefined);
  const [group, ...otherGroups] = new Set(failures.map(groupOf));
  if (group === undefined || otherGroups.length > 0) return undefined;
  const ended = checks.filter(({ status }) => status === "passed" || status === "failed");
  if (2 * failures.length < ended.filter((check) => groupOf(check) === group).length) return undefined;
  const causes = guidance[group]?.causes ?? [];
  return causes.length === 0 ? undefined : { group, causes };
}

export const usualCausesHeading = ({ group }: UsualCauses): string =>
  `Usual causes of failures in ${group}.*:`;
