import type { Check } from "./check.ts";
import { passiveChecks } from "./passive.ts";

/** The experiments of a conformance run, group by group; a group's name is the first part of its checks' ids. */
export const experiments: readonly Check[] = [];

/** Everything that a conformance run verifies. */
export const checks = [...experiments, ...passiveChecks];
