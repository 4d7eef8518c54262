import { type Check, isAlone } from "./check.ts";
import { orderOf } from "./check-order.ts";
import { roundsOf, waitsAnywayMs } from "./rounds/rounds.ts";
import { MOST_AT_ONE_ADDRESS } from "./session/identities/identity-pool.ts";
import { MOST_IN_FLIGHT } from "./session/limits/in-flight.ts";
import { TOKEN_LIMIT } from "./session/limits/source-addresses.ts";

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
const ROUNDS_AROUND = 40;

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);

/** Estimated duration of a run without waits for the target's limits, milliseconds. */
export function expectedMs(
  checks: readonly Check[],
  { latencyMs, jobs }: { readonly latencyMs: number; readonly jobs: number },
): number {
  const { ahead = [], concurrent, serial } = orderOf(checks);
  const lengthOf = (check: Check) => roundsOf(check) * latencyMs + waitsAnywayMs(check);
  const beside = (some: readonly Check[]) => {
    const lengths = some.map(lengthOf);
    return Math.max(0, ...lengths, sum(lengths) / Math.min(jobs, MOST_IN_FLIGHT));
  };
  const inChecks = sum([...ahead, concurrent].map(beside)) + sum(serial.map(lengthOf));
  return ROUNDS_AROUND * latencyMs + inChecks + checks.length * COMPUTING_MS_PER_CHECK;
}

/** Once an integrator's clock was moved so far its token is over, seconds (Authentication 2). */
const TOKEN_S = 1800;

/**
 * True if the checks need more new tokens than an address may request in a minute: one for each integrator that a check
 * has to itself, and another if a check moves its clock past the first one's end.
 */
export function outrunsTokens(checks: readonly Check[]): boolean {
  const integrators = Math.min(checks.filter(isAlone).length, MOST_AT_ONE_ADDRESS);
  return integrators + checks.filter(({ waits }) => waits >= TOKEN_S).length > TOKEN_LIMIT;
}
