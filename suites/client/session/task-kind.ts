import type { OperationId } from "../../core/contract/document.ts";

/** The kind of task that an operation belongs to. */
const TASK_KIND_OF_OPERATION = {
  createDelivery: "order",
  obtainToken: "token",
  registerStore: "store",
  createQuote: "quote",
  updateDelivery: "change",
  cancelDelivery: "cancellation",
  listDeliveries: "page",
} as const satisfies Partial<Record<OperationId, string>>;

export type TaskKind = (typeof TASK_KIND_OF_OPERATION)[keyof typeof TASK_KIND_OF_OPERATION];

const kinds: Readonly<Partial<Record<OperationId, TaskKind>>> = TASK_KIND_OF_OPERATION;

/** The noun for each kind of task. */
export const TASK_WORDS: Readonly<Record<TaskKind, string>> = {
  order: "an order",
  token: "a request for a token",
  store: "the registration of a store",
  quote: "a request for a quote",
  change: "a change of an order",
  cancellation: "a cancellation",
  page: "a page of the list",
};

/** The plural of each kind of task. */
export const PLURALS = {
  order: "orders",
  token: "tokens",
  store: "stores",
  quote: "quotes",
  change: "changes",
  cancellation: "cancellations",
  page: "pages",
} as const satisfies Readonly<Record<TaskKind, string>>;

/** The kind of task of an operation. Undefined for an operation that isn't part of a task. */
export const kindOf = (operation: OperationId | undefined): TaskKind | undefined =>
  operation && kinds[operation];
