import type { OperationId } from "../../../core/contract/document.ts";
import { isObject } from "../../../core/json.ts";
import { described } from "../../../core/text/shown-value.ts";
import type { Answer } from "../http/answer.ts";

export type Entry = Readonly<Record<string, unknown>>;

/**
 * The entries of a list with any wrapper and grouping, which the specification doesn't show (OPEN-79, OPEN-111): the
 * outermost objects that have at least two of an entry's fields, and everything in an array beside one of them that is
 * no group of others. A wrapper may share one field with its entries, not two.
 */
export function entriesIn(value: unknown, fields: readonly string[]): readonly Entry[] {
  const isEntry = (member: unknown): member is Entry =>
    isObject(member) && fields.filter((field) => field in member).length >= 2;
  const within = (members: readonly unknown[]) => members.flatMap((member) => entriesIn(member, fields));
  if (Array.isArray(value)) {
    if (!value.some(isEntry)) return within(value);
    return value.flatMap((member) => {
      const found = within([member]);
      return found.length > 0 ? found : [isObject(member) ? member : {}];
    });
  }
  if (isEntry(value)) return [value];
  return isObject(value) ? within(Object.values(value)) : [];
}

function entriesOf(answer: Answer<OperationId>, fields: readonly string[]): readonly Entry[] {
  const { json } = answer.succeeded();
  if (isObject(json) || Array.isArray(json)) return entriesIn(json, fields);
  throw answer.failure({
    subject: `the answer to ${answer.exchange.operation}`,
    relation: "to be",
    expected: described("a list or an object with one list in it"),
    actual: answer.response.text.slice(0, 200),
  });
}

/** The stores in a list that was answered with a success. */
export const storesOf = (answer: Answer<"listStores">): readonly Entry[] =>
  entriesOf(answer, ["id", "external_store_id", "address_text", "courier_company"]);

/** The subscriptions in a list that was answered with a success. */
export const subscriptionsOf = (answer: Answer<"listWebhooks">): readonly Entry[] =>
  entriesOf(answer, ["id", "url", "event_types", "created_at"]);
