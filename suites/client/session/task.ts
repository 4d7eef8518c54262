import { isDeepStrictEqual } from "node:util";
import { LIST_FILTERS } from "../../core/contract/element-sets.ts";
import { member, textMember } from "../../core/json.ts";
import { type ClientRequest, type RecordedRequest, sameJson } from "./request.ts";
import type { Scenario } from "./scenario.ts";
import { kindOf, type TaskKind } from "./task-kind.ts";

/** One thing that a client has to get done, with every request that was sent for it. */
export interface Task {
  readonly kind: TaskKind;
  /** The client's start that it belongs to, from 1. */
  readonly round: number;
  /** What the sandbox does to it; undefined where nothing is in its way. */
  readonly scenario: Scenario | undefined;
  /** In the order of arrival. */
  readonly tries: RecordedRequest[];
}

export const keyOf = (request: ClientRequest): string | undefined => request.headers["idempotency-key"];
export const referenceOf = (request: ClientRequest): string | undefined =>
  textMember(request.json, "external_ref");

const storeOf = (request: ClientRequest) => textMember(request.json, "store", "external_store_id");

/** Whether two creations have one order's number, in one store. */
export const isSameOrder = (one: ClientRequest, other: ClientRequest): boolean =>
  referenceOf(one) !== undefined &&
  referenceOf(one) === referenceOf(other) &&
  storeOf(one) === storeOf(other);

/** Whether two creations have order numbers, and different ones. */
const areNumberedApart = (one: ClientRequest, other: ClientRequest): boolean =>
  referenceOf(one) !== undefined &&
  referenceOf(other) !== undefined &&
  referenceOf(one) !== referenceOf(other);

/** What the client took from a try's end. */
export type TaskResult = "accepted" | "refused" | "unauthorised" | "limited" | "failed" | "unknown";

/** `failed` is what is to be tried again with backoff: no whole answer, or 5xx; `unknown` is still under way. */
export function resultOf({ completion }: RecordedRequest): TaskResult {
  if (completion === undefined) return "unknown";
  if (completion.response === undefined) return "failed";
  const { status } = completion.response;
  if (status >= 500) return "failed";
  if (status === 429) return "limited";
  if (status === 401) return "unauthorised";
  return status >= 400 ? "refused" : "accepted";
}

/** Whether the rules want another try after this end. */
export const needsRetry = (seen: RecordedRequest): boolean =>
  ["failed", "limited", "unauthorised"].includes(resultOf(seen));

/** Tries that follow a failure which the rules want repeated, each with the one before it. */
export const repetitionsIn = (
  tasks: readonly Task[],
): readonly (readonly [failed: RecordedRequest, next: RecordedRequest])[] =>
  tasks.flatMap(({ tries }) =>
    tries.flatMap((next, i) => {
      const before = tries[i - 1];
      return before && ["failed", "limited"].includes(resultOf(before)) ? [[before, next] as const] : [];
    }),
  );

/** A list that a client catches up with, and no search for one order. */
export const isCatchUp = ({ operation, query }: ClientRequest): boolean =>
  operation === "listDeliveries" && !query.has("external_ref");

/**
 * What a list is narrowed by, which requests of one catching-up have in common. Names that the service doesn't know narrow
 * nothing: they may be there against caches, or be a piece of a cursor that wasn't encoded.
 */
export function listFilterOf({ query }: ClientRequest): string {
  const known = LIST_FILTERS.flatMap((name) => query.getAll(name).map((value) => [name, value]));
  return new URLSearchParams(known).toString();
}

/** What a request is about, apart from what a client may reckon anew for each try. */
const SUBJECT_OF: Readonly<Record<Exclude<TaskKind, "order">, (request: ClientRequest) => unknown>> = {
  token: () => "token",
  store: ({ json }) => member(json, "external_store_id"),
  quote: (request) => [storeOf(request), member(request.json, "dropoff")],
  change: ({ path }) => path,
  cancellation: ({ path }) => path,
  page: listFilterOf,
};

/**
 * What repeats an order is known by its order number, so that a client that changes the key is still seen to repeat, and
 * by its key where a number is missing. A number that comes with another key after its order was accepted is no
 * repetition but an order of its own, and so is a key that comes with another number: where two orders have one key, that
 * is their only fault.
 */
function repeatsOrder(last: RecordedRequest, request: RecordedRequest): boolean {
  const sameKey = keyOf(request) !== undefined && keyOf(request) === keyOf(last);
  const sameNumber = isSameOrder(request, last);
  if (resultOf(last) === "accepted") return sameKey && sameNumber;
  return sameNumber || (sameKey && !areNumberedApart(request, last));
}

/** Whether two tasks of one start do the same to the same; orders aside. */
export function isAbout(one: Task, other: Task): boolean {
  const [first] = one.tries;
  const [second] = other.tries;
  if (one.kind === "order" || one.kind !== other.kind || one.round !== other.round) return false;
  return (
    first !== undefined &&
    second !== undefined &&
    isDeepStrictEqual(SUBJECT_OF[one.kind](first), SUBJECT_OF[one.kind](second))
  );
}

/** Anything else has no key: what is about the same repeats what failed, and what was refused only as it was. */
function repeatsOther(
  kind: Exclude<TaskKind, "order">,
  last: RecordedRequest,
  request: RecordedRequest,
): boolean {
  if (!isDeepStrictEqual(SUBJECT_OF[kind](last), SUBJECT_OF[kind](request))) return false;
  return needsRetry(last) || (resultOf(last) === "refused" && sameJson(last, request));
}

/** Sorts requests into tasks. */
export class TaskLog {
  readonly #tasks: Task[] = [];

  /** In the order of their first requests. */
  get tasks(): readonly Task[] {
    return this.#tasks;
  }

  /**
   * The task that a request belongs to, which counts it as a try from now on; undefined for what is no task.
   * @param assign gives a new task its scenario
   */
  add(request: RecordedRequest, assign: (kind: TaskKind) => Scenario | undefined): Task | undefined {
    const kind = kindOf(request.operation);
    if (kind === undefined || (kind === "page" && !isCatchUp(request))) return undefined;
    const known = this.#tasks.findLast((task) => this.#isRepeatedBy(task, kind, request));
    if (known) {
      known.tries.push(request);
      return known;
    }
    const task = { kind, round: request.round, scenario: assign(kind), tries: [request] };
    this.#tasks.push(task);
    return task;
  }

  #isRepeatedBy({ kind, round, tries }: Task, wanted: TaskKind, request: RecordedRequest): boolean {
    const last = tries.at(-1);
    if (!last || kind !== wanted || round !== request.round) return false;
    return kind === "order" ? repeatsOrder(last, request) : repeatsOther(kind, last, request);
  }
}
