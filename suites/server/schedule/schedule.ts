import { type Check, usesIntegratorAlone } from "../check.ts";
import { INTEGRATOR_LIMIT } from "../session/identities/identity.ts";
import { MAX_INTEGRATORS_PER_IP } from "../session/identities/identity-pool.ts";
import { MAX_IN_FLIGHT } from "../session/limits/in-flight.ts";
import { TOKEN_LIMIT } from "../session/limits/source-addresses.ts";
import { runsLast } from "./check-order.ts";
import { isLong } from "./time-limit.ts";

/**
 * If responses are instant, CPU time dominates. This number of jobs keeps two cores busy, although some
 * checks wait.
 */
const MIN_JOBS = 16;
/** Additional concurrent checks per millisecond of latency. */
const JOBS_PER_MS = 0.5;
/** Some checks wait for webhooks or an integrator, so there may be more checks than concurrent requests. */
export const MAX_JOBS = 1.5 * MAX_IN_FLIGHT;

/**
 * The number of concurrent checks for a target.
 * @param latencyMs the duration of one response in milliseconds
 */
export const jobsFor = (latencyMs: number): number =>
  Math.min(MAX_JOBS, Math.round(MIN_JOBS + JOBS_PER_MS * latencyMs));

/** The suite's CPU time per check. */
const COMPUTING_MS_PER_CHECK = 10;
/** The number of sequential responses before the checks and during the cleanup. */
const RESPONSES_OUTSIDE_CHECKS = 40;
/** The average number of sequential responses per check. */
const RESPONSES_PER_CHECK = 15;
/** The number of sequential responses in the longest check. */
const MAX_RESPONSES = 130;

type SchedulableCheck = Pick<Check, "id"> & Partial<Pick<Check, "isolation" | "minRealSeconds">>;

/** The time in milliseconds that a check waits for anything other than responses. */
const minRealMs = ({ minRealSeconds = 0 }: SchedulableCheck): number => minRealSeconds * 1000;

/** The estimated duration of a run in milliseconds, without waits for rate limits. */
export function expectedMs(
  checks: readonly SchedulableCheck[],
  { latencyMs, jobs }: { readonly latencyMs: number; readonly jobs: number },
): number {
  const sequentialResponses = checks.filter(runsLast).length * RESPONSES_PER_CHECK;
  const concurrentResponses = checks.length * RESPONSES_PER_CHECK - sequentialResponses;
  const waitsMs = checks.map(minRealMs);
  const concurrency = Math.min(jobs, MAX_IN_FLIGHT);
  const longestCheckMs = Math.min(concurrentResponses, MAX_RESPONSES) * latencyMs;
  const allChecksMs =
    (concurrentResponses * latencyMs + waitsMs.reduce((all, one) => all + one, 0)) / concurrency;
  return (
    (RESPONSES_OUTSIDE_CHECKS + sequentialResponses) * latencyMs +
    Math.max(longestCheckMs, allChecksMs, ...waitsMs) +
    checks.length * COMPUTING_MS_PER_CHECK
  );
}

/** The average number of a check's requests that count towards its integrator's limit. */
const COUNTED_REQUESTS_PER_CHECK = 10;

/**
 * The estimated waits for the integrators' limits in milliseconds. A control interface creates integrators.
 * With configured credentials, all checks share one integrator.
 */
export const limitWaitMs = (checks: readonly SchedulableCheck[], integrators: number): number =>
  60_000 *
  Math.floor(
    (checks.filter((check) => !runsLast(check)).length * COUNTED_REQUESTS_PER_CHECK) /
      (INTEGRATOR_LIMIT * integrators),
  );

/**
 * Sorts long checks first, so that none of them runs alone at the end. Without an earlier run, checks with
 * waits other than for responses come first, then checks known to be long. Checks that run last keep their
 * order, because a check may exhaust what a later check needs.
 */
export function longestFirst<One extends SchedulableCheck>(
  checks: readonly One[],
  lastDurationsMs: Readonly<Record<string, number>> = {},
): readonly One[] {
  const lengthMs = (check: One) => lastDurationsMs[check.id] ?? minRealMs(check);
  return checks.toSorted((one, other) => {
    if (runsLast(one) || runsLast(other)) return Number(runsLast(one)) - Number(runsLast(other));
    return lengthMs(other) - lengthMs(one) || Number(isLong(other)) - Number(isLong(one));
  });
}

/** A clock advance by this many seconds lets the token expire (specification, "Authentication" 2). */
const TOKEN_LIFETIME_S = 1800;

/**
 * True if the checks need more tokens than one IP address can obtain in a minute: one for each exclusive
 * integrator, and another after a long clock advance.
 */
export function exceedsTokenLimit(checks: readonly Check[]): boolean {
  const integrators = Math.min(checks.filter(usesIntegratorAlone).length, MAX_INTEGRATORS_PER_IP);
  return (
    integrators + checks.filter(({ virtualSeconds }) => virtualSeconds >= TOKEN_LIFETIME_S).length >
    TOKEN_LIMIT
  );
}
