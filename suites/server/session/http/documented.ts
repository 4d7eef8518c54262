import { lookUp } from "../../../core/contract/document.ts";

/** The schema with the members: itself, or its alternative that isn't null. */
const described = (pointer: string): string =>
  lookUp(`${pointer}/anyOf/0`) === undefined ? pointer : `${pointer}/anyOf/0`;

/**
 * The documented, non-null part of a value. Undocumented members may vary (OPEN-27), and a missing value may
 * be absent or null.
 * @param pointer the value's schema in the document
 */
export function documented(pointer: string, value: unknown): unknown {
  const place = described(pointer);
  const { properties, items } = lookUp(place) ?? {};
  if (Array.isArray(value) && items !== undefined) {
    return value.map((entry) => documented(`${place}/items`, entry));
  }
  if (properties === undefined || typeof value !== "object" || value === null) return value;
  const members = Object.keys(Object(properties)).flatMap((key) => {
    const member: unknown = Reflect.get(value, key);
    if (member === undefined || member === null) return [];
    return [[key, documented(`${place}/properties/${key}`, member)] as const];
  });
  return Object.fromEntries(members);
}

/** The documented part of a delivery. */
export const documentedDelivery = (delivery: unknown): Readonly<Record<string, unknown>> =>
  Object(documented("/components/schemas/Delivery", delivery));
