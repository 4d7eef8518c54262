import { isDeepStrictEqual } from "node:util";
import { LIST_FILTERS } from "../../core/contract/element-sets.ts";
import { member, textMember } from "../../core/json.ts";
import { type ClientRequest, type RecordedRequest, sameJson } from "./request.ts";
import type { Scenario } from "./scenarios/scenario.ts";
import { kindOf, type TaskKind } from "./task-kind.ts";

/** One task of the client with all its requests. */
export interface Task {
  readonly kind: TaskKind;
  /** The number of the client start, counted from 1. */
  readonly startNumber: number;
  /** The task's scenario; undefined if the task has none. */
  readonly scenario: Scenario | undefined;
  /** The attempts in order of arrival. */
  readonly tries: RecordedRequest[];
}

export const keyOf = (request: ClientRequest): string | undefined => request.headers["idempotency-key"];
export const referenceOf = (request: ClientRequest): string | undefined =>
  textMember(request.json, "external_ref");

const storeOf = (request: ClientRequest) => textMember(request.json, "store", "external_store_id");

/** True if two creations have the same order number and the same store. */
export const isSameOrder = (one: ClientRequest, other: ClientRequest): boolean =>
  referenceOf(one) !== undefined &&
  referenceOf(one) === referenceOf(other) &&
  storeOf(one) === storeOf(other);

/** True if two creations have order numbers, and these are different. */
const haveOtherNumbers = (one: ClientRequest, other: ClientRequest): boolean =>
  referenceOf(one) !== undefined &&
  referenceOf(other) !== undefined &&
  referenceOf(one) !== referenceOf(other);

type TaskResult = "accepted" | "refused" | "unauthorised" | "limited" | "failed" | "unknown";

/** The result of an attempt. `failed` is an incomplete response or a 5xx, `unknown` is a pending request. */
export function resultOf({ completion }: RecordedRequest): TaskResult {
  if (completion === undefined) return "unknown";
  if (completion.response === undefined) return "failed";
  const { status } = completion.response;
  if (status >= 500) return "failed";
  if (status === 429) return "limited";
  if (status === 401) return "unauthorised";
  return status >= 400 ? "refused" : "accepted";
}

/** True if the specification requires a retry after this result. */
export const needsRetry = (seen: RecordedRequest): boolean =>
  ["failed", "limited", "unauthorised"].includes(resultOf(seen));

/** Attempts that follow a failure after which a retry is required, each with the previous attempt. */
export const repetitionsIn = (
  tasks: readonly Task[],
): readonly (readonly [failed: RecordedRequest, next: RecordedRequest])[] =>
  tasks.flatMap(({ tries }) =>
    tries.flatMap((next, i) => {
      const before = tries[i - 1];
      return before && ["failed", "limited"].includes(resultOf(before)) ? [[before, next] as const] : [];
    }),
  );

/** True for a list request that reads the list. A search for one order isn't such a request. */
export const isCatchUp = ({ operation, query }: ClientRequest): boolean =>
  operation === "listDeliveries" && !query.has("external_ref");

/**
 * The filters that all requests of a catch-up share. Unknown parameters are ignored: a parameter may be a cache buster, or
 * part of an unencoded cursor.
 */
export function listFilterOf({ query }: ClientRequest): string {
  const known = LIST_FILTERS.flatMap((name) => query.getAll(name).map((value) => [name, value]));
  return new URLSearchParams(known).toString();
}

/** The content of a request, without the values that a client may change in each attempt. */
const SUBJECT_OF: Readonly<Record<Exclude<TaskKind, "order">, (request: ClientRequest) => unknown>> = {
  token: () => "token",
  store: ({ json }) => member(json, "external_store_id"),
  quote: (request) => [storeOf(request), member(request.json, "dropoff")],
  change: ({ path }) => path,
  cancellation: ({ path }) => path,
  page: listFilterOf,
};

/**
 * True if a creation repeats the order of the previous creation. An order is recognised by its number, so that a
 * repetition with another key is found. Without a number, an order is recognised by its key. A number with
 * another key after the order was accepted is a new order. A key with another number is a new order too, whose
 * only fault is the shared key.
 */
function repeatsOrder(last: RecordedRequest, request: RecordedRequest): boolean {
  const sameKey = keyOf(request) !== undefined && keyOf(request) === keyOf(last);
  const sameNumber = isSameOrder(request, last);
  if (resultOf(last) === "accepted") return sameKey && sameNumber;
  return sameNumber || (sameKey && !haveOtherNumbers(request, last));
}

/** True if two tasks of one start, other than orders, make the same call about the same resource. */
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
 * True if a call other than an order repeats the last call. Such calls have no key. After a failure, a request
 * with the same content is a repetition. After a refusal, only an identical request is a repetition.
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

  /** The tasks in the order of their first requests. */
  get tasks(): readonly Task[] {
    return this.#tasks;
  }

  /**
   * Adds a request to its task, and returns the task; undefined for a request without a task.
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
