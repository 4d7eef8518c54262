import { monotonicNow, wallClock } from "../../core/clock.ts";
import type { OperationId } from "../../core/contract/document.ts";
import type { ElementOf } from "../../core/contract/element-sets.ts";
import { expectThat } from "../../core/grading/expectations/expect.ts";
import { expectOfKind } from "../../core/grading/expectations/expectation-kind.ts";
import { NotTestable } from "../../core/grading/failures/failure.ts";
import { isSuccess } from "../../core/responses.ts";
import type { Answer } from "../session/http/answer.ts";
import type { CallOptions } from "../session/http/api.ts";
import type { RequestBudget } from "../session/limits/request-budget.ts";
import { BalancerAnswers, isOfBalancer, pastBalancer } from "./protocol/balancer-answers.ts";

const MINUTE_MS = 60_000;
/** A target that answers so slowly that its limit isn't reached in this time can't be brought to it. */
const MAX_MINUTES = 3;

/** How requests go out that a limit is to meet: not held back by us, and a 429 is the answer that is wanted. */
export const UNTHROTTLED: CallOptions = { keepBudget: false, honourLimits: false };

/** A limit of the target, and a cheap request that counts towards it. */
export interface Limit {
  readonly perMinute: number;
  /** How many are sent at once. */
  readonly atOnce: number;
  send(): Promise<Answer<OperationId>>;
  /** Another request that counts towards it, and that no balancer sends twice; undefined if there is none. */
  readonly sendOnce?: () => Promise<Answer<OperationId>>;
  /** The requests that we have sent towards it. */
  readonly budget: RequestBudget;
}

interface Flood {
  /** How many were answered 2xx. */
  readonly passed: number;
  /** How many more the target says that it would let pass; NaN if it doesn't say. */
  readonly left: number;
  /** The answer that was neither 2xx nor a balancer's. */
  readonly stopped: Answer<OperationId> | undefined;
  readonly last: Answer<OperationId> | undefined;
  /** How many more requests the target counted than we sent; undefined if its headers report no such limit. */
  readonly foreignRequests: number | undefined;
}

/** How many requests the target has counted towards the limit by this answer; NaN if it doesn't say. */
function countedBy(answer: Answer<OperationId>, perMinute: number): number {
  const says = (name: string) => Number(answer.header(name) ?? Number.NaN);
  return says("x-ratelimit-limit") === perMinute ? perMinute - says("x-ratelimit-remaining") : Number.NaN;
}

/**
 * Sends this many requests, or fewer if one isn't answered 2xx. A balancer's answer doesn't stop the burst. The request
 * counts as one of the burst, since the target may have counted it.
 * @param balancer the balancer's answers so far
 */
async function burst(
  { send, atOnce, perMinute, budget }: Limit,
  most: number,
  balancer: BalancerAnswers,
): Promise<Flood> {
  let passed = 0;
  let sent = 0;
  let refusedSoFar = 0;
  let stopped: Answer<OperationId> | undefined;
  let last: Answer<OperationId> | undefined;
  const foreignRequests: number[] = [];
  while (sent < most && !stopped) {
    const answers = await Promise.all(Array.from({ length: Math.min(atOnce, most - sent) }, send));
    sent += answers.length;
    const ownAnswers = answers.filter((answer) => !isOfBalancer(answer));
    const refused = ownAnswers.filter((answer) => !isSuccess(answer));
    passed += ownAnswers.length - refused.length;
    const stayedAway = balancer.observe(answers);
    stopped = refused[0] ?? stayedAway;
    last = answers.at(-1);
    refusedSoFar += refused.length;
    // It is open whether refused requests are counted, and the limit that refuses them may be lower than the target
    // says. The answers that passed show the count until then.
    const ours = budget.used - refusedSoFar;
    const counts = ownAnswers
      .filter(isSuccess)
      .map((answer) => countedBy(answer, perMinute))
      .filter(Number.isFinite);
    foreignRequests.push(...counts.map((counted) => counted - ours));
  }
  return {
    passed,
    left: last === undefined ? Number.NaN : perMinute - countedBy(last, perMinute),
    stopped,
    last,
    foreignRequests: foreignRequests.length > 0 ? Math.max(...foreignRequests) : undefined,
  };
}

/** The part of an allowance that is sent to see how long all of it takes … */
const TRIED = 1 / 40;
/** … and by how much that may be mistaken. */
const SLOWING = 1.5;
/** The longest wait for a window. If a burst is slow, a window's end may hide a reduced allowance. */
const MAX_WAIT_MS = 10_000;

/**
 * Waits for the target's next window if the present one would end in the middle of a burst: an allowance that is cut
 * short at the end of each window would pass unseen otherwise. The target's reset is only a hint. One that isn't a
 * number of seconds (OPEN-221), or isn't a fixed window's, costs a wait and no more.
 */
async function untilWindowSuffices(limit: Limit): Promise<void> {
  const { perMinute, atOnce, budget, send } = limit;
  const some = Math.min(atOnce, Math.ceil(perMinute * TRIED));
  const start = monotonicNow();
  const answers = await Promise.all(Array.from({ length: some }, send));
  const each = (monotonicNow() - start) / some;
  const due = SLOWING * each * (perMinute - budget.used);
  const resets = answers.flatMap((answer) => answer.header("x-ratelimit-reset") ?? []);
  const left = Number(resets.at(-1) ?? Number.NaN) * 1000;
  if (left <= Math.min(due, MAX_WAIT_MS)) await budget.waitForWindow(left);
}

/**
 * Only a 429 is a limit's refusal. A target that answers otherwise gets no more requests, since nothing shows its
 * limit.
 */
function expectToServe(answer: Answer<OperationId>): Answer<OperationId> {
  return answer.status === 429 ? answer : answer.succeeded();
}

/** A finding by fewer requests than this share is repeated before it counts. */
const BORDERLINE = 1 / 20;

/**
 * Asserts that a limit's allowance isn't cut short, as far as it is ours.
 *
 * The requests that we sent in the last minute are subtracted, which is fair to every kind of window. Requests of
 * others, such as an earlier run, are unknown. If the integrator or address may have been used before, the target's own
 * headers have to agree with our count. If they don't, a minute's rest ends all counts. If the target counts more than
 * we have sent even then, somebody else uses the limit, or a balancer repeats requests.
 * @param fresh true if nobody has used the integrator or address before this run
 * @returns the requests that passed in the last burst
 * @throws NotTestable if the missing requests can't be distinguished from those of others
 */
export async function expectAllowance(limit: Limit, fresh: boolean): Promise<PassedRequests> {
  const { perMinute, budget, send } = limit;
  if (!fresh) {
    const counted = countedBy(expectToServe(await pastBalancer(send)), perMinute);
    if (!(counted <= budget.used) || budget.used >= perMinute) await budget.waitForWindow();
  }
  await untilWindowSuffices(limit);
  const first = await missingOf(limit, fresh);
  if (first.missing === 0) return first;
  const few = Math.max(1, Math.floor(perMinute * BORDERLINE));
  if (first.foreignRequests > few) throw usedByOthers(first, perMinute);
  // Our earlier requests may belong to a window that is over, and hide as many foreign requests.
  if (first.missing > Math.max(few, first.foreignRequests + first.before))
    expectNothingMissing(first, perMinute);
  return afterRests(limit, fresh, few);
}

/** The most one-minute waits before the limit is tried once more, if something else may have used some of it. */
const MOST_RESTS = 2;

async function afterRests(limit: Limit, fresh: boolean, few: number): Promise<PassedRequests> {
  for (let rests = 1; ; rests += 1) {
    await limit.budget.waitForWindow();
    // A balancer that loses an instance repeats a safe request at another one, so the target counts it twice.
    const again = await missingOf({ ...limit, send: limit.sendOnce ?? limit.send }, fresh);
    const isShared = again.missing > 0 && again.foreignRequests > 0;
    if (isShared && (rests === MOST_RESTS || again.foreignRequests > few))
      throw usedByOthers(again, limit.perMinute);
    if (isShared) continue;
    expectNothingMissing(again, limit.perMinute);
    return again;
  }
}

/** Requests in a row that a limit let pass. */
interface PassedRequests {
  readonly passed: number;
  /** When the first of them was sent, by the monotonic clock, milliseconds. */
  readonly start: number;
}

interface Allowance extends PassedRequests {
  /** How many requests we had sent in the minute before. */
  readonly before: number;
  /** How many requests were left of the limit, by our count. */
  readonly free: number;
  /** How many of these were refused, or not sent any more. */
  readonly missing: number;
  /** How many more the target counted than we sent. */
  readonly foreignRequests: number;
}

/**
 * Sends a burst of all that is left of the limit. If the target doesn't report its count, only a fresh address is
 * surely ours.
 */
async function missingOf(limit: Limit, fresh: boolean): Promise<Allowance> {
  const before = limit.budget.used;
  let free = limit.perMinute - before;
  const start = monotonicNow();
  const balancer = new BalancerAnswers();
  let { passed, left, stopped, foreignRequests } = await burst(limit, free, balancer);
  // Our earlier requests may belong to a window that is over, and hide a limit that is too low.
  if (!stopped && left > 0) {
    const rest = await burst(limit, left, balancer);
    free += left;
    passed += rest.passed;
    ({ stopped, foreignRequests } = rest);
  }
  if (stopped) expectToServe(stopped);
  balancer.expectFew();
  const missing = free - passed - balancer.count;
  const unknown = fresh ? 0 : Number.POSITIVE_INFINITY;
  return { passed, start, before, free, missing, foreignRequests: foreignRequests ?? unknown };
}

function expectNothingMissing({ free, missing }: Allowance, perMinute: number): void {
  const what = `requests that passed of the ${free} that were left of ${perMinute} a minute`;
  expectOfKind("limit", () => expectThat(what, free - missing).is(free));
}

const usedByOthers = ({ free, missing, foreignRequests }: Allowance, perMinute: number) =>
  new NotTestable(
    `${missing} of the ${free} requests that were left of ${perMinute} a minute were refused, but the target counted ` +
      `${Number.isFinite(foreignRequests) ? `${foreignRequests} more than were sent` : "nothing that its headers tell of"}: ` +
      "somebody else uses the limit, or requests are repeated on their way",
  );

/** The first requests of a burst that may begin at the limit. */
const FIRST_AT_THE_LIMIT = 8;

/**
 * Sends requests until the limit is reached, and returns the answer that says so. A fixed window that ends meanwhile
 * lets twice the limit pass, and each further minute brings another allowance (OPEN-223).
 * @param before the requests that passed just before
 */
export async function exhaust(
  limit: Limit,
  before: PassedRequests = { passed: 0, start: monotonicNow() },
): Promise<Answer<OperationId>> {
  const { start } = before;
  let { passed } = before;
  let atOnce = Math.min(FIRST_AT_THE_LIMIT, limit.atOnce);
  const balancer = new BalancerAnswers(passed);
  for (;;) {
    const minutes = (monotonicNow() - start) / MINUTE_MS;
    if (minutes > MAX_MINUTES) {
      throw new NotTestable(
        `only ${passed} requests were answered in ${MAX_MINUTES} minutes: too few to meet a limit of ${limit.perMinute} a minute`,
      );
    }
    const go = await burst({ ...limit, atOnce }, atOnce, balancer);
    atOnce = Math.min(2 * atOnce, limit.atOnce);
    passed += go.passed;
    if (go.stopped) return go.stopped;
    if (passed > limit.perMinute * (2 + minutes) + limit.atOnce) {
      const last = go.last ?? (await limit.send());
      return last.fail(`${passed} requests in a row were not limited`, {
        expected: `429 when more than ${limit.perMinute} requests are sent in a minute`,
        actual: `${passed} requests answered 2xx in ${Math.ceil(minutes * 60)} s`,
        kind: "limit",
      });
    }
  }
}

/**
 * The seconds of a retry-after, itself in seconds or an HTTP date (OPEN-222); not finite if it names none. If the
 * integrator's clock was moved, a date may be by its time or by real time, and the service's clock may differ from
 * ours. The answer's own date counts if it is plausible. A date before the answer means: at once.
 */
function secondsOf(limited: Answer<OperationId>, now: number): number {
  const retryAfter = limited.header("retry-after");
  const seconds = Number(retryAfter ?? Number.NaN);
  if (!Number.isNaN(seconds)) return seconds;
  const date = Date.parse(retryAfter ?? "");
  if (Number.isNaN(date)) return date;
  const byItsOwn = (date - Date.parse(limited.header("date") ?? "")) / 1000;
  if (byItsOwn >= 0 && byItsOwn <= MINUTE_MS / 1000) return byItsOwn;
  const clocks = [now, wallClock(), Date.parse(limited.header("date") ?? "")];
  const waits = clocks.map((from) => (date - from) / 1000).filter(Number.isFinite);
  const [nearest = 0] = waits.toSorted((one, other) => Math.abs(one) - Math.abs(other));
  return Math.max(0, nearest);
}

/**
 * Asserts that a 429 says when to retry.
 * @param now the limited client's time, milliseconds since 1970
 * @param limit the limit that it is of
 * @returns the seconds until then
 */
export function expectRetryAfter(
  limited: Answer<OperationId>,
  now: number,
  limit: ElementOf<"limits"> = "integrator",
): number {
  const wait = secondsOf(limited, now);
  if (Number.isFinite(wait)) return wait;
  const named = limited.header("retry-after");
  const what = `the 429 of the ${limit} limit`;
  return limited.fail(
    named === undefined
      ? `${what} carries no retry-after`
      : `retry-after on ${what} is neither a number of seconds nor a date: ${JSON.stringify(named)}`,
    { expected: "retry-after: a number of seconds or a date", actual: named ?? "no such header" },
  );
}

/** How many of the requests sent at once are answered 429, each of them by the target itself. */
export async function countLimited({ send }: Pick<Limit, "send">, requests: number): Promise<number> {
  const answers = await Promise.all(Array.from({ length: requests }, () => pastBalancer(send)));
  return answers.filter(({ status }) => status === 429).length;
}
