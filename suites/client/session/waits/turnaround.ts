import { textMember } from "../../../core/json.ts";
import type { RecordedRequest } from "../request.ts";
import { resultOf } from "../task.ts";

/** The client's time, without a wait, from a response to its next request, in milliseconds. */
export interface Turnaround {
  readonly least: number;
  /** The third quartile of the turnaround. */
  readonly most: number;
  /** All measured times, sorted. */
  readonly times: readonly number[];
}

/** The minimum number of samples for a typical turnaround. */
const MIN_SAMPLES = 3;
/** The assumed turnaround of a client without samples. */
const UNKNOWN: Turnaround = { least: 0, most: 25, times: [] };

/**
 * A step that is this much slower than the fastest step is a deliberate pause, such as a wait for customers.
 */
const SLOWER = { times: 5, plusMs: 10 };

interface Step {
  readonly from: RecordedRequest;
  readonly to: RecordedRequest;
}

const isAnswered = (one: RecordedRequest): boolean =>
  one.completion?.response !== undefined && !["failed", "limited"].includes(resultOf(one));

/** True if each request arrived after the previous request had ended. */
export const isSequential = (requests: readonly RecordedRequest[]): boolean =>
  requests.every((one, i) => {
    const before = requests[i - 1];
    return before === undefined || (before.completion !== undefined && before.completion.at <= one.arrivedAt);
  });

/**
 * The response that certainly caused a request: the page that contains the request's cursor, or the refusal of
 * the request's previous token.
 */
function causeOf(to: RecordedRequest, requests: readonly RecordedRequest[]): RecordedRequest | undefined {
  const earlier = requests.filter(({ number, completion }) => number < to.number && completion !== undefined);
  const cursor = to.query.get("since");
  if (to.operation === "listDeliveries" && cursor !== null) {
    return earlier.findLast(
      ({ completion }) => textMember(completion?.response?.json, "next_cursor") === cursor,
    );
  }
  return to.operation === "obtainToken"
    ? earlier.findLast(({ completion }) => completion?.response?.status === 401)
    : undefined;
}

function stepsOf(requests: readonly RecordedRequest[]): readonly Step[] {
  const sequential = isSequential(requests);
  return requests.flatMap((to, i) => {
    const from = sequential ? requests[i - 1] : causeOf(to, requests);
    return from && isAnswered(from) ? [{ from, to }] : [];
  });
}

const quantile = (sorted: readonly number[], part: number): number =>
  sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)] ?? 0;

/** The sorted times from a response to the next request, one list for each pair of operations. */
function timesOf(requests: readonly RecordedRequest[]): readonly (readonly number[])[] {
  const byStart = Map.groupBy(requests, ({ startNumber }) => startNumber);
  const steps = [...byStart.values()].flatMap(stepsOf);
  const ways = Map.groupBy(steps, ({ from, to }) => `${from.operation} ${resultOf(from)} ${to.operation}`);
  return [...ways.values()].map((way) =>
    way
      .map(({ from, to }) => Math.max(0, to.arrivedAt - (from.completion?.at ?? to.arrivedAt)))
      .toSorted((a, b) => a - b),
  );
}

/**
 * Measures the client's turnaround from the steps that the client makes without a wait.
 * @param requests the requests in order of arrival
 */
export function turnaroundOf(requests: readonly RecordedRequest[]): Turnaround {
  const ways = timesOf(requests);
  const frequent = ways.filter(({ length }) => length >= MIN_SAMPLES);
  const usable = frequent.length > 0 ? frequent : [ways.flat().toSorted((a, b) => a - b)];
  const quickest = Math.min(...usable.map((times) => quantile(times, 0.5)));
  const prompt = usable
    .filter((times) => quantile(times, 0.5) <= quickest * SLOWER.times + SLOWER.plusMs)
    .flat()
    .toSorted((a, b) => a - b);
  if (prompt.length < MIN_SAMPLES) return UNKNOWN;
  return { least: prompt[0] ?? 0, most: quantile(prompt, 0.75), times: prompt };
}
