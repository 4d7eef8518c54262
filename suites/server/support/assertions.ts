import { expect } from "vitest";
import { isoInstant } from "../../core/clock.ts";
import { lookUp, type OperationId, type Schemas } from "../../core/contract/document.ts";
import { numberOf, textOf } from "../../core/json.ts";
import { tried } from "../../core/text/tried.ts";
import type { Answer } from "../session/answer.ts";
import type { Api } from "../session/api.ts";
import { findOnceListed } from "./delivery-list.ts";

/** Instants may lose their fraction on the way, and nothing more (OPEN-8). */
const INSTANT_TOLERANCE_MS = 1000;

const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/**
 * Asserts that a resource shows what was sent: numbers by value, instants as instants, null and absent alike, objects
 * by the members that were sent, arrays entry by entry.
 */
export function expectToShow(shown: unknown, sent: unknown, what: string): void {
  if (Array.isArray(sent)) {
    expect(shown, what).toBeInstanceOf(Array);
    expect(shown, `the number of ${what}`).toHaveLength(sent.length);
    sent.forEach((entry, i) => {
      expectToShow(Array.isArray(shown) ? shown[i] : undefined, entry, `${what}[${i}]`);
    });
  } else if (typeof sent === "object" && sent !== null) {
    for (const [key, member] of Object.entries(sent)) {
      const held = typeof shown === "object" && shown !== null ? Reflect.get(shown, key) : undefined;
      expectToShow(held, member, `${what}.${key}`);
    }
  } else if (typeof sent === "number") {
    expect(shown ?? null, what).not.toBeNull();
    expect(numberOf(shown) === sent ? sent : shown, what).toBe(sent);
  } else if (typeof sent === "string" && RFC_3339.test(sent)) {
    const due = isoInstant(Date.parse(sent));
    const isSame = Math.abs(Date.parse(textOf(shown)) - Date.parse(sent)) <= INSTANT_TOLERANCE_MS;
    expect(isSame ? due : (shown ?? null), `${what}, sent as ${sent}`).toBe(due);
  } else {
    expect(shown ?? null, what).toBe(sent ?? null);
  }
}

/**
 * Asserts that a resource has every field that the document gives it, whatever their values.
 * @param besides fields that it may lack, each for an open point's sake
 */
export function expectEveryField(
  shown: object,
  schema: keyof Schemas,
  what: string,
  besides: readonly string[] = [],
): void {
  const fields = Object.keys(Object(lookUp(`/components/schemas/${schema}/properties`)));
  expect(fields.length, `the number of fields that the document gives ${what}`).toBeGreaterThan(0);
  const missing = fields.filter((field) => !besides.includes(field) && !Object.hasOwn(shown, field));
  expect(missing, `missing fields of ${what}`).toEqual([]);
}

/** Asserts that the one delivery is all that there is under its order number. */
export async function expectOnlyDelivery(api: Api, { external_ref, id }: Schemas["Delivery"]): Promise<void> {
  const items = await findOnceListed(api, external_ref, id);
  expect(
    items.map((item) => item.id),
    `the deliveries with external_ref ${external_ref}`,
  ).toEqual([id]);
}

/** Asserts a refusal whose code and exact status are open. */
export function expectRefused(answer: Answer<OperationId>): void {
  const { status, exchange } = answer;
  if (status < 400 || status > 499) {
    answer.fail(
      `${exchange.operation} answered ${status} where a refusal was due${tried(exchange.violates)}`,
      {
        expected: "4xx",
        actual: status,
      },
    );
  }
}
