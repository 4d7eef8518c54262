import { authentication } from "./authentication.ts";
import type { AnyCheck, Check } from "./check.ts";
import { contentType } from "./content-type.ts";
import { errors } from "./errors.ts";
import { health } from "./health.ts";
import { idempotency } from "./idempotency.ts";
import { limits } from "./limits.ts";
import { passiveChecks } from "./passive.ts";
import { times } from "./times.ts";
import { tokens } from "./tokens.ts";
import { versioning } from "./versioning.ts";

/** The experiments of a conformance run, group by group; a group's name is the first part of its checks' ids. */
export const experiments: readonly Check[] = [
  ...idempotency,
  ...authentication,
  ...tokens,
  ...contentType,
  ...times,
  ...errors,
  ...health,
  ...versioning,
  ...limits,
];

/** Everything that a conformance run verifies. */
export const checks: readonly AnyCheck[] = [...experiments, ...passiveChecks];
