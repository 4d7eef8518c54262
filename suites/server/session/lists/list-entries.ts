import type { OperationId } from "../../../core/contract/document.ts";
import { isObject } from "../../../core/json.ts";
import { described } from "../../../core/text/shown-value.ts";
import type { ApiResponse } from "../http/api-response.ts";

export type Entry = Readonly<Record<string, unknown>>;

/**
 * The entries of a list with an unknown wrapper (OPEN-79, OPEN-111): the outermost objects with at least two of
 * an entry's fields, and all other objects in the same array. A wrapper shares at most one field with the
 * entries.
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

function entriesOf(response: ApiResponse<OperationId>, fields: readonly string[]): readonly Entry[] {
  const { json } = response.expectSuccess();
  if (isObject(json) || Array.isArray(json)) return entriesIn(json, fields);
  throw response.failure({
    subject: `the response to ${response.exchange.operation}`,
    relation: "to be",
    expected: described("a list or an object with one list in it"),
    actual: response.raw.text.slice(0, 200),
  });
}

/** The stores in a successful list response. */
export const storesOf = (response: ApiResponse<"listStores">): readonly Entry[] =>
  entriesOf(response, ["id", "external_store_id", "address_text", "courier_company"]);

/** The subscriptions in a successful list response. */
export const subscriptionsOf = (response: ApiResponse<"listWebhooks">): readonly Entry[] =>
  entriesOf(response, ["id", "url", "event_types", "created_at"]);
