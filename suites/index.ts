import type { AnyCheck, Check } from "./check.ts";
import { idempotency } from "./idempotency.ts";
import { passiveChecks } from "./passive.ts";

/** The experiments of a conformance run, group by group; a group's name is the first part of its checks' ids. */
export const experiments: readonly Check[] = [...idempotency];

/** Everything that a conformance run verifies. */
export const checks: readonly AnyCheck[] = [...experiments, ...passiveChecks];
