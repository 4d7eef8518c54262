import { monotonicNow, wallClock } from "../../core/clock.ts";
import type { OperationId } from "../../core/contract/document.ts";
import type { ElementOf } from "../../core/contract/element-sets.ts";
import { expectThat } from "../../core/grading/expectations/expect.ts";
import { expectOfKind } from "../../core/grading/expectations/expectation-kind.ts";
import { CheckSkipped } from "../../core/grading/failures/failure.ts";
import { isSuccess } from "../../core/responses.ts";
import type { BaseContext } from "../check.ts";
import type { CallOptions } from "../session/http/api.ts";
import type { ApiResponse } from "../session/http/api-response.ts";
import type { RequestBudget } from "../session/limits/request-budget.ts";
import { BalancerAnswers, isFromBalancer, pastBalancer } from "./protocol/balancer-answers.ts";

const MINUTE_MS = 60_000;
/** A limit that isn't reached in this time can't be tested. */
const MAX_MINUTES = 3;

/** Options for requests up to a limit: the suite's own budget is ignored, and a 429 is returned. */
export const UNTHROTTLED: CallOptions = { keepBudget: false, honourLimits: false };

/** A limit, with a cheap request that counts towards it. */
export interface Limit {
  readonly perMinute: number;
  /** The number of concurrent requests. */
  readonly concurrency: number;
  send(): Promise<ApiResponse<OperationId>>;
  /**
   * Sends another request that counts towards the limit, and that no balancer repeats. Undefined if there is no
   * such request.
   */
  readonly sendOnce?: () => Promise<ApiResponse<OperationId>>;
  /** The suite's budget for this limit. */
  readonly budget: RequestBudget;
}

interface Burst {
  /** The number of 2xx responses. */
  readonly passed: number;
  /** The first response that was neither a 2xx nor a balancer's. */
  readonly stopped: ApiResponse<OperationId> | undefined;
  readonly last: ApiResponse<OperationId> | undefined;
  /**
   * The number of requests from other clients that the target counted. Undefined if its headers show no such
   * limit.
   */
  readonly foreignRequests: number | undefined;
}

/**
 * The number of requests that the target has counted, by this response; NaN if the response contains no count.
 */
function countedBy(response: ApiResponse<OperationId>, perMinute: number): number {
  // Policies may follow the limit after a comma: 1200, 1200;w=60.
  const headerNumber = (name: string) => Number.parseInt(response.header(name) ?? "", 10);
  return headerNumber("x-ratelimit-limit") === perMinute
    ? perMinute - headerNumber("x-ratelimit-remaining")
    : Number.NaN;
}

/**
 * Sends this many requests, or fewer if one isn't answered with 2xx. A balancer's response doesn't stop the
 * burst, and counts, because the target may have counted the request.
 * @param balancer the balancer's responses so far
 * @param ownCount the number of our requests that the target counts
 */
async function burst(
  { send, concurrency, perMinute }: Limit,
  most: number,
  balancer: BalancerAnswers,
  ownCount: () => number = () => 0,
): Promise<Burst> {
  let passed = 0;
  let sent = 0;
  let refusedSoFar = 0;
  let stopped: ApiResponse<OperationId> | undefined;
  let last: ApiResponse<OperationId> | undefined;
  const foreignRequests: number[] = [];
  while (sent < most && !stopped) {
    const responses = await Promise.all(Array.from({ length: Math.min(concurrency, most - sent) }, send));
    sent += responses.length;
    const ownAnswers = responses.filter((response) => !isFromBalancer(response));
    const refused = ownAnswers.filter((response) => !isSuccess(response));
    passed += ownAnswers.length - refused.length;
    const fromTarget = balancer.observe(responses);
    stopped = refused[0] ?? fromTarget;
    last = responses.at(-1);
    refusedSoFar += refused.length;
    // The specification doesn't say whether refused requests count, and the actual limit may be lower than
    // shown. The responses before the refusal show the count.
    const ours = ownCount() - refusedSoFar;
    const counts = ownAnswers
      .filter(isSuccess)
      .map((response) => countedBy(response, perMinute))
      .filter(Number.isFinite);
    foreignRequests.push(...counts.map((counted) => counted - ours));
  }
  return {
    passed,
    stopped,
    last,
    foreignRequests: foreignRequests.length > 0 ? Math.max(...foreignRequests) : undefined,
  };
}

/** The share of a limit's requests that is sent to estimate the time for all of them. */
const SAMPLE_SHARE = 1 / 40;
/** The factor by which the estimate is multiplied, to be safe. */
const SAFETY_FACTOR = 1.5;
/**
 * The longest wait for a window. If a burst takes longer, the end of a window may hide that the limit is too
 * low.
 */
const MAX_WAIT_MS = 10_000;

/**
 * Waits for the target's next window if the current one would end during a burst. Otherwise a limit that is
 * too low would pass, because the burst spans two windows. The target's reset is only a hint: a value that
 * isn't a number of seconds (OPEN-221), or isn't a fixed window's, only costs a wait.
 */
async function waitForSufficientWindow(limit: Limit, ownCount: () => number): Promise<void> {
  const { perMinute, concurrency, budget, send } = limit;
  const sampleSize = Math.min(concurrency, Math.ceil(perMinute * SAMPLE_SHARE));
  if (perMinute - ownCount() <= sampleSize) return;
  const start = monotonicNow();
  const responses = await Promise.all(Array.from({ length: sampleSize }, send));
  const msPerRequest = (monotonicNow() - start) / sampleSize;
  const expected = SAFETY_FACTOR * msPerRequest * (perMinute - ownCount());
  const resets = responses.flatMap((response) => response.header("x-ratelimit-reset") ?? []);
  const reset = Number(resets.at(-1) ?? Number.NaN) * 1000;
  // The target may round up to whole seconds.
  const left = reset - 1000;
  if (left <= Math.min(expected, MAX_WAIT_MS)) await budget.waitForWindow(reset);
}

/** Only a 429 is a limit's refusal. After any other error, no more requests are sent. */
function expectToServe(response: ApiResponse<OperationId>): ApiResponse<OperationId> {
  return response.status === 429 ? response : response.expectSuccess();
}

/** If at most this share of the requests is missing, the burst is repeated before it counts. */
const FEW_SHARE = 1 / 20;

/** The number of our requests that the target counts, if it counts this many now. */
function countingFrom(count: number, { budget }: Pick<Limit, "budget">): () => number {
  const before = budget.sent;
  return () => count + budget.sent - before;
}

/**
 * Asserts that all requests that a limit allows are accepted.
 *
 * If the integrator or address may have been used before, the target's headers say how many of our requests it
 * still counts. The counted requests have passed, so only the remaining ones are sent. If the headers show requests
 * of other clients, no count or a reached limit, the suite first waits a minute, after which all counts restart.
 * @param fresh true if the integrator or address was unused before this run
 * @returns the requests that passed in the last burst
 * @throws CheckSkipped if the missing requests may be another client's
 */
export async function expectAllowance(
  { disturbed }: Pick<BaseContext, "disturbed">,
  limit: Limit,
  fresh: boolean,
): Promise<PassedRequests> {
  const { perMinute, budget, send } = limit;
  const byOurCount = () => countingFrom(budget.used, limit);
  let ownCount = byOurCount();
  let isKnown = fresh;
  if (!fresh) {
    const first = expectToServe(await pastBalancer(send));
    const counted = Math.max(1, countedBy(first, perMinute));
    isKnown = isSuccess(first) && counted <= budget.used;
    if (!isKnown) await budget.waitForWindow();
    ownCount = isKnown ? countingFrom(counted, limit) : byOurCount();
  }
  await waitForSufficientWindow(limit, ownCount);
  const few = Math.max(1, Math.floor(perMinute * FEW_SHARE));
  const used = budget.used;
  let found = await missingRequests(limit, { isKnown, few, ownCount });
  // Our earlier requests may belong to a past window, and hide as many requests of other clients.
  if (found.missing > 0 && found.missing <= Math.max(few, found.foreignRequests + used)) {
    await budget.waitForWindow();
    // A balancer that loses an instance repeats safe requests, so the target counts them twice.
    const once = { ...limit, send: limit.sendOnce ?? send };
    found = await missingRequests(once, { isKnown: fresh, few, ownCount: byOurCount() });
    if (found.foreignRequests > 0)
      disturbed("foreign-traffic", "the target counted requests of other clients");
  }
  const what = `accepted requests of the ${found.free} remaining ones of ${perMinute} a minute`;
  expectOfKind("limit", () => expectThat(what, found.free - found.missing).is(found.free));
  return found;
}

/** Consecutive requests that a limit let pass. */
interface PassedRequests {
  readonly passed: number;
  /** When the first of the requests started, in milliseconds on the monotonic clock. */
  readonly start: number;
}

interface Allowance extends PassedRequests {
  /** The remaining requests. */
  readonly free: number;
  /** The number of remaining requests that were refused or not sent. */
  readonly missing: number;
  /** The number of requests from other clients that the target counted. */
  readonly foreignRequests: number;
}

/**
 * Sends all remaining requests of the limit.
 * @param isKnown true if the target had counted only our requests
 * @throws CheckSkipped if requests are missing, and other clients used more than a few
 */
async function missingRequests(
  limit: Limit,
  {
    isKnown,
    few,
    ownCount,
  }: { readonly isKnown: boolean; readonly few: number; readonly ownCount: () => number },
): Promise<Allowance> {
  const free = Math.max(0, limit.perMinute - ownCount());
  const start = monotonicNow();
  const balancer = new BalancerAnswers();
  const { passed, stopped, foreignRequests } = await burst(limit, free, balancer, ownCount);
  if (stopped) expectToServe(stopped);
  balancer.expectFew();
  const missing = free - passed - balancer.count;
  const unknown = isKnown ? 0 : Number.POSITIVE_INFINITY;
  const found = { passed, start, free, missing, foreignRequests: foreignRequests ?? unknown };
  if (missing > 0 && found.foreignRequests > few) throw usedByOthers(found, limit.perMinute);
  return found;
}

const usedByOthers = ({ free, missing, foreignRequests }: Allowance, perMinute: number) =>
  new CheckSkipped(
    `${missing} of the ${free} remaining requests of ${perMinute} a minute were refused, but the target counted ` +
      `${Number.isFinite(foreignRequests) ? `${foreignRequests} more than were sent` : "an unknown number, which its headers don't show"}: ` +
      "another client uses the limit, or a proxy repeats requests",
  );

/**
 * Sends requests until the limit is reached, and returns the limited response. If a fixed window ends
 * meanwhile, twice the limit passes, and each further minute adds the limit once more (OPEN-223).
 * @param before the requests that passed just before
 */
export async function exhaust(
  limit: Limit,
  before: PassedRequests = { passed: 0, start: monotonicNow() },
): Promise<ApiResponse<OperationId>> {
  const { start } = before;
  let { passed } = before;
  // At the limit, which an earlier request may have reached, one request suffices.
  let concurrency = 1;
  const balancer = new BalancerAnswers(passed);
  for (;;) {
    const minutes = (monotonicNow() - start) / MINUTE_MS;
    if (minutes > MAX_MINUTES) {
      throw new CheckSkipped(
        `only ${passed} requests were answered in ${MAX_MINUTES} minutes: too few to reach a limit of ${limit.perMinute} a minute`,
      );
    }
    const result = await burst({ ...limit, concurrency }, concurrency, balancer);
    concurrency = Math.min(2 * concurrency, limit.concurrency);
    passed += result.passed;
    if (result.stopped) return result.stopped;
    if (passed > limit.perMinute * (2 + minutes) + limit.concurrency) {
      const last = result.last ?? (await limit.send());
      return last.fail(`${passed} requests in a row were not limited`, {
        expected: `429 when more than ${limit.perMinute} requests are sent in a minute`,
        actual: `${passed} requests answered 2xx in ${Math.ceil(minutes * 60)} s`,
        kind: "limit",
      });
    }
  }
}

/**
 * The seconds of a retry-after, which may be an HTTP date (OPEN-222); not finite if invalid. A date may be on
 * the integrator's moved clock or in real time, and the service's clock may differ from ours, so the
 * response's own date is used if it is plausible. A past date means now.
 */
function secondsOf(limited: ApiResponse<OperationId>, now: number): number {
  const retryAfter = limited.header("retry-after");
  const seconds = Number(retryAfter ?? Number.NaN);
  if (!Number.isNaN(seconds)) return seconds;
  const date = Date.parse(retryAfter ?? "");
  if (Number.isNaN(date)) return date;
  const byResponseDate = (date - Date.parse(limited.header("date") ?? "")) / 1000;
  if (byResponseDate >= 0 && byResponseDate <= MINUTE_MS / 1000) return byResponseDate;
  const clocks = [now, wallClock(), Date.parse(limited.header("date") ?? "")];
  const waits = clocks.map((from) => (date - from) / 1000).filter(Number.isFinite);
  const [nearest = 0] = waits.toSorted((one, other) => Math.abs(one) - Math.abs(other));
  return Math.max(0, nearest);
}

/**
 * Asserts that a 429 says when to retry.
 * @param now the limited client's time as Unix time in milliseconds
 * @returns the seconds until the retry
 */
export function expectRetryAfter(
  limited: ApiResponse<OperationId>,
  now: number,
  limit: ElementOf<"limits"> = "integrator",
): number {
  const wait = secondsOf(limited, now);
  if (Number.isFinite(wait)) return wait;
  const named = limited.header("retry-after");
  const what = `the 429 of the ${limit} limit`;
  return limited.fail(
    named === undefined
      ? `${what} has no retry-after`
      : `retry-after on ${what} is neither a number of seconds nor a date: ${JSON.stringify(named)}`,
    { expected: "retry-after: a number of seconds or a date", actual: named ?? "no such header" },
  );
}

/** The number of concurrent requests that the target itself answers with 429. */
export async function countLimited({ send }: Pick<Limit, "send">, requests: number): Promise<number> {
  const responses = await Promise.all(Array.from({ length: requests }, () => pastBalancer(send)));
  return responses.filter(({ status }) => status === 429).length;
}
