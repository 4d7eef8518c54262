import type { ClauseId } from "../../../openapi/generated/clauses.ts";
import { isoInstant } from "../../core/clock.ts";
import { type OperationId, type Schemas, serviceApi } from "../../core/contract/document.ts";
import { expectThat } from "../../core/grading/expectations/expect.ts";
import { attributeFailures } from "../../core/grading/failures/attributed-to.ts";
import { type Subject, subjectParts } from "../../core/grading/failures/mismatch.ts";
import { numberOf, textOf } from "../../core/json.ts";
import type { Api } from "../session/http/api.ts";
import type { ApiResponse } from "../session/http/api-response.ts";
import { findOnceListed } from "./lists/delivery-list.ts";

/** A target may drop the fractions of seconds (OPEN-8). */
const INSTANT_TOLERANCE_MS = 1000;

const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/** Less than a thousandth, the smallest part of a quantity, and about a metre in a coordinate. */
const NUMBER_TOLERANCE = 0.000_01;

/** Names a member in a failure: `dropoff.text`, or `notes of the data of delivery.updated`. */
const memberOf = (what: Subject, key: string): Subject =>
  typeof what === "string" && !what.includes(" ")
    ? `${what}.${key}`
    : { field: key, where: `of ${subjectParts(what).subject}` };

const entryOf = (what: Subject, place: number): Subject =>
  typeof what === "string" ? `${what}[${place}]` : { ...what, where: `${what.where}[${place}]` };

/** True if a value, or a nested member, is neither null nor absent. */
const containsValue = (value: unknown): boolean =>
  typeof value === "object" && value !== null
    ? Object.values(value).some(containsValue)
    : (value ?? null) !== null;

/**
 * Asserts that a resource has the sent values: numbers to about five decimals, times as instants, null like absent, objects
 * by the sent members, arrays entry by entry.
 */
export function expectFields(shown: unknown, sent: unknown, what: Subject, note?: string): void {
  const missing = note ?? (shown === undefined ? "the field is missing" : undefined);
  if (Array.isArray(sent)) {
    expectThat(what, shown, { note }).isList();
    expectThat(what, shown, { note }).hasLength(sent.length);
    sent.forEach((entry, i) => {
      expectFields(Array.isArray(shown) ? shown[i] : undefined, entry, entryOf(what, i), note);
    });
  } else if (typeof sent === "object" && sent !== null) {
    // Names the missing object instead of its first member.
    if ((shown ?? null) === null && containsValue(sent))
      expectThat(what, shown ?? null, { note: missing }).satisfies("an object", false);
    for (const [key, member] of Object.entries(sent)) {
      const shownMember = typeof shown === "object" && shown !== null ? Reflect.get(shown, key) : undefined;
      expectFields(shownMember, member, memberOf(what, key), note);
    }
  } else if (typeof sent === "number") {
    const isSame = (shown ?? null) !== null && Math.abs(numberOf(shown) - sent) < NUMBER_TOLERANCE;
    if (!isSame) expectThat(what, shown ?? null, { note: missing }).is(sent);
  } else if (typeof sent === "string" && RFC_3339.test(sent)) {
    const expected = isoInstant(Date.parse(sent));
    const isSame = Math.abs(Date.parse(textOf(shown)) - Date.parse(sent)) <= INSTANT_TOLERANCE_MS;
    if (!isSame) expectThat(what, shown ?? null, { note: note ?? `sent as ${sent}` }).is(expected);
  } else {
    expectThat(what, shown ?? null, { note: missing }).is(sent ?? null);
  }
}

/**
 * Asserts that a resource has every field of the document.
 * @param optional fields that may be missing because of an open point
 */
export function expectEveryField(
  shown: object,
  schema: keyof Schemas,
  what: string,
  optional: readonly string[] = [],
): void {
  const fields = Object.keys(Object(serviceApi.lookUp(`/components/schemas/${schema}/properties`)));
  expectThat(`the number of fields that the document gives ${what}`, fields.length).isMoreThan(0);
  const missing = fields.filter((field) => !optional.includes(field) && !Object.hasOwn(shown, field));
  expectThat(`missing fields of ${what}`, missing).isEmpty();
}

/**
 * Asserts that the delivery is the only one with its external_ref.
 * @param duplicateClauses the clauses that a second delivery violates
 */
export async function expectOnlyDelivery(
  api: Api,
  { external_ref, id }: Schemas["Delivery"],
  ...duplicateClauses: readonly ClauseId[]
): Promise<void> {
  const items = await findOnceListed(api, external_ref, id);
  const found = items.map((item) => item.id);
  const expectation = () => expectThat(`the deliveries with external_ref ${external_ref}`, found).is([id]);
  if (found.length > 1) attributeFailures(duplicateClauses, expectation);
  else expectation();
}

/** Asserts an error response whose status and code are unspecified. */
export function expectRefused(response: ApiResponse<OperationId>): void {
  const { status } = response;
  if (status < 400 || status > 499) {
    throw response.failureOfStatus("4xx");
  }
}
