import type { OperationId } from "../../core/contract/document.ts";
import { isObject } from "../../core/json.ts";
import type { Answer } from "./answer.ts";

export type Entry = Readonly<Record<string, unknown>>;

/**
 * The entries of a list however it is wrapped and grouped, which the specification doesn't show (OPEN-79, OPEN-111): the
 * outermost objects that have at least two of an entry's fields. A wrapper may share a field with its entries, not two.
 */
export function entriesIn(value: unknown, fields: readonly string[]): readonly Entry[] {
  if (Array.isArray(value)) return value.flatMap((member) => entriesIn(member, fields));
  if (!isObject(value)) return [];
  const isEntry = fields.filter((field) => field in value).length >= 2;
  return isEntry ? [value] : Object.values(value).flatMap((member) => entriesIn(member, fields));
}

function entriesOf(answer: Answer<OperationId>, fields: readonly string[]): readonly Entry[] {
  const { json } = answer.succeeded();
  if (isObject(json) || Array.isArray(json)) return entriesIn(json, fields);
  return answer.fail(`${answer.exchange.operation} answered no list`, {
    expected: "an array or an object with the entries in it",
    actual: answer.response.text.slice(0, 200),
  });
}

/** The stores in a list that was answered with a success. */
export const storesOf = (answer: Answer<"listStores">): readonly Entry[] =>
  entriesOf(answer, ["id", "external_store_id", "address_text", "courier_company"]);

/** The subscriptions in a list that was answered with a success. */
export const subscriptionsOf = (answer: Answer<"listWebhooks">): readonly Entry[] =>
  entriesOf(answer, ["id", "url", "event_types", "created_at"]);
