import { isDeepStrictEqual } from "node:util";
import { LIST_FILTERS } from "../../core/contract/element-sets.ts";
import { member, textMember } from "../../core/json.ts";
import { type ClientRequest, type RecordedRequest, sameJson } from "./request.ts";
import type { Scenario } from "./scenarios/scenario.ts";
import { kindOf, type TaskKind } from "./task-kind.ts";

/** One task of the client with all its requests. */
export interface Task {
  readonly kind: TaskKind;
  /** The client start, counted from 1. */
  readonly startNumber: number;
  /** The scenario of the task; undefined for none. */
  readonly scenario: Scenario | undefined;
  /** In order of arrival. */
  readonly tries: RecordedRequest[];
}

export const keyOf = (request: ClientRequest): string | undefined => request.headers["idempotency-key"];
export const referenceOf = (request: ClientRequest): string | undefined =>
  textMember(request.json, "external_ref");

const storeOf = (request: ClientRequest) => textMember(request.json, "store", "external_store_id");

/** True if two creations have the same number and store. */
export const isSameOrder = (one: ClientRequest, other: ClientRequest): boolean =>
  referenceOf(one) !== undefined &&
  referenceOf(one) === referenceOf(other) &&
  storeOf(one) === storeOf(other);

/** True if two creations have different numbers. */
const haveOtherNumbers = (one: ClientRequest, other: ClientRequest): boolean =>
  referenceOf(one) !== undefined &&
  referenceOf(other) !== undefined &&
  referenceOf(one) !== referenceOf(other);

type TaskResult = "accepted" | "refused" | "unauthorised" | "limited" | "failed" | "unknown";

/** `failed` must be retried with backoff: an incomplete response or a 5xx. `unknown` is still pending. */
export function resultOf({ completion }: RecordedRequest): TaskResult {
  if (completion === undefined) return "unknown";
  if (completion.response === undefined) return "failed";
  const { status } = completion.response;
  if (status >= 500) return "failed";
  if (status === 429) return "limited";
  if (status === 401) return "unauthorised";
  return status >= 400 ? "refused" : "accepted";
}

/** True if the rules require a retry after this result. */
export const needsRetry = (seen: RecordedRequest): boolean =>
  ["failed", "limited", "unauthorised"].includes(resultOf(seen));

/** Attempts after a failure that must be retried, each with the previous attempt. */
export const repetitionsIn = (
  tasks: readonly Task[],
): readonly (readonly [failed: RecordedRequest, next: RecordedRequest])[] =>
  tasks.flatMap(({ tries }) =>
    tries.flatMap((next, i) => {
      const before = tries[i - 1];
      return before && ["failed", "limited"].includes(resultOf(before)) ? [[before, next] as const] : [];
    }),
  );

/** True for a list request that catches up. A search for one order doesn't. */
export const isCatchUp = ({ operation, query }: ClientRequest): boolean =>
  operation === "listDeliveries" && !query.has("external_ref");

/**
 * The filters that all requests of a catch-up share. Unknown parameters are ignored: they may be cache
 * busters, or parts of an unencoded cursor.
 */
export function listFilterOf({ query }: ClientRequest): string {
  const known = LIST_FILTERS.flatMap((name) => query.getAll(name).map((value) => [name, value]));
  return new URLSearchParams(known).toString();
}

/** The content of a request, without values that a client may change in each attempt. */
const SUBJECT_OF: Readonly<Record<Exclude<TaskKind, "order">, (request: ClientRequest) => unknown>> = {
  token: () => "token",
  store: ({ json }) => member(json, "external_store_id"),
  quote: (request) => [storeOf(request), member(request.json, "dropoff")],
  change: ({ path }) => path,
  cancellation: ({ path }) => path,
  page: listFilterOf,
};

/**
 * A repeated order is recognised by its number, so that a changed key still counts as a repetition. Without a
 * number, it is recognised by its key. A number with another key after its order was accepted is a new order.
 * So is a key with another number: sharing the key is its only fault then.
 */
function repeatsOrder(last: RecordedRequest, request: RecordedRequest): boolean {
  const sameKey = keyOf(request) !== undefined && keyOf(request) === keyOf(last);
  const sameNumber = isSameOrder(request, last);
  if (resultOf(last) === "accepted") return sameKey && sameNumber;
  return sameNumber || (sameKey && !haveOtherNumbers(request, last));
}

/** True if two tasks of one start make the same call about the same resource. Orders are excluded. */
export function isSameCall(one: Task, other: Task): boolean {
  const [first] = one.tries;
  const [second] = other.tries;
  if (one.kind === "order" || one.kind !== other.kind || one.startNumber !== other.startNumber) return false;
  return (
    first !== undefined &&
    second !== undefined &&
    isDeepStrictEqual(SUBJECT_OF[one.kind](first), SUBJECT_OF[one.kind](second))
  );
}

/**
 * Calls other than orders have no key. After a failure, a request with the same content is a repetition.
 * After a refusal it must be identical.
 */
function repeatsOther(
  kind: Exclude<TaskKind, "order">,
  last: RecordedRequest,
  request: RecordedRequest,
): boolean {
  if (!isDeepStrictEqual(SUBJECT_OF[kind](last), SUBJECT_OF[kind](request))) return false;
  return needsRetry(last) || (resultOf(last) === "refused" && sameJson(last, request));
}

/** Groups requests into tasks. */
export class TaskLog {
  readonly #tasks: Task[] = [];

  /** In order of their first requests. */
  get tasks(): readonly Task[] {
    return this.#tasks;
  }

  /**
   * Adds a request to its task, and returns the task; undefined for a request without one.
   * @param assign returns the scenario of a new task
   */
  add(request: RecordedRequest, assign: (kind: TaskKind) => Scenario | undefined): Task | undefined {
    const kind = kindOf(request.operation);
    if (kind === undefined || (kind === "page" && !isCatchUp(request))) return undefined;
    const known = this.#tasks.findLast((task) => this.#isRepeatedBy(task, kind, request));
    if (known) {
      known.tries.push(request);
      return known;
    }
    const task = { kind, startNumber: request.startNumber, scenario: assign(kind), tries: [request] };
    this.#tasks.push(task);
    return task;
  }

  #isRepeatedBy({ kind, startNumber, tries }: Task, wanted: TaskKind, request: RecordedRequest): boolean {
    const last = tries.at(-1);
    if (!last || kind !== wanted || startNumber !== request.startNumber) return false;
    return kind === "order" ? repeatsOrder(last, request) : repeatsOther(kind, last, request);
  }
}
