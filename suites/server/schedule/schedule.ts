import { type Check, isExclusive } from "../check.ts";
import { IDENTITY_LIMIT } from "../session/identities/identity.ts";
import { MOST_AT_ONE_ADDRESS } from "../session/identities/identity-pool.ts";
import { MOST_IN_FLIGHT } from "../session/limits/in-flight.ts";
import { TOKEN_LIMIT } from "../session/limits/source-addresses.ts";
import { runsLast } from "./check-order.ts";
import { isLong } from "./time-limit.ts";

/** With instant answers, computing takes the time: this is enough for two cores, though some checks wait. */
const FEWEST_JOBS = 16;
/** Additional concurrent checks for each millisecond of a distant target's latency … */
const JOBS_PER_MS = 0.5;
/** … up to 1.5 times the requests under way: some checks wait for webhooks, or for their own integrator. */
export const MOST_JOBS = 1.5 * MOST_IN_FLIGHT;

/**
 * The number of concurrent checks for a target.
 * @param latencyMs duration of one answer, milliseconds
 */
export const jobsFor = (latencyMs: number): number =>
  Math.min(MOST_JOBS, Math.round(FEWEST_JOBS + JOBS_PER_MS * latencyMs));

/** A run's time other than waiting: computing. */
const COMPUTING_MS_PER_CHECK = 10;
/** Taking hold of the target before the checks, and cleaning up after them, in answers one after the other. */
const ANSWERS_AROUND = 40;
/** Answers that a check waits for one after the other, on average. */
const ANSWERS_PER_CHECK = 15;
/** The answers that the longest check waits for. */
const MOST_ANSWERS = 130;

type Known = Pick<Check, "id"> & Partial<Pick<Check, "exclusive" | "minRealSeconds">>;

/** The time that a check waits for something other than answers, milliseconds. */
const minRealMs = ({ minRealSeconds = 0 }: Known): number => minRealSeconds * 1000;

/** Estimated duration of a run without waits for the target's limits, milliseconds. */
export function expectedMs(
  checks: readonly Known[],
  { latencyMs, jobs }: { readonly latencyMs: number; readonly jobs: number },
): number {
  const inTurn = checks.filter(runsLast).length * ANSWERS_PER_CHECK;
  const answers = checks.length * ANSWERS_PER_CHECK - inTurn;
  const waitsMs = checks.map(minRealMs);
  const besideEachOther = Math.min(jobs, MOST_IN_FLIGHT);
  const inOneCheckMs = Math.min(answers, MOST_ANSWERS) * latencyMs;
  const inAllMs = (answers * latencyMs + waitsMs.reduce((all, one) => all + one, 0)) / besideEachOther;
  return (
    (ANSWERS_AROUND + inTurn) * latencyMs +
    Math.max(inOneCheckMs, inAllMs, ...waitsMs) +
    checks.length * COMPUTING_MS_PER_CHECK
  );
}

/** Requests of a check that count towards its integrator's limit, on average. */
const COUNTED_PER_CHECK = 11;

/**
 * Estimated waits for the integrators' limits, milliseconds: a run with a control interface makes new integrators, and a
 * run with credentials alone shares them among all checks.
 */
export const limitWaitMs = (checks: readonly Known[], integrators: number): number =>
  60_000 *
  Math.floor(
    (checks.filter((check) => !runsLast(check)).length * COUNTED_PER_CHECK) / (IDENTITY_LIMIT * integrators),
  );

/**
 * Puts the longest checks first, so that no long one is left when all others have ended. Without a last run, those that
 * wait for something other than answers come first, then those known to be long. The checks that run last, one at a
 * time, keep their order: one may have to wait for what another uses up.
 */
export function longestFirst<One extends Known>(
  checks: readonly One[],
  lastDurationsMs: Readonly<Record<string, number>> = {},
): readonly One[] {
  const lengthMs = (check: One) => lastDurationsMs[check.id] ?? minRealMs(check);
  return checks.toSorted((one, other) => {
    if (runsLast(one) || runsLast(other)) return Number(runsLast(one)) - Number(runsLast(other));
    return lengthMs(other) - lengthMs(one) || Number(isLong(other)) - Number(isLong(one));
  });
}

/** Once an integrator's clock was moved so far its token is over, seconds (Authentication 2). */
const TOKEN_S = 1800;

/**
 * True if the checks need more new tokens than an address may request in a minute: one for each integrator that a check
 * has to itself, and another if a check moves its clock past the first one's end.
 */
export function outrunsTokens(checks: readonly Check[]): boolean {
  const integrators = Math.min(checks.filter(isExclusive).length, MOST_AT_ONE_ADDRESS);
  return integrators + checks.filter(({ virtualSeconds }) => virtualSeconds >= TOKEN_S).length > TOKEN_LIMIT;
}
