import { serviceApi } from "../../../core/contract/document.ts";

/** The pointer to the schema. If null is allowed, the pointer to the alternative that isn't null. */
const described = (pointer: string): string =>
  serviceApi.lookUp(`${pointer}/anyOf/0`) === undefined ? pointer : `${pointer}/anyOf/0`;

/**
 * The documented members of a value, except null members. Undocumented members are dropped, because they may
 * vary (OPEN-27).
 * @param pointer the value's schema in the document
 */
function documented(pointer: string, value: unknown): unknown {
  const place = described(pointer);
  const { properties, items } = serviceApi.lookUp(place) ?? {};
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

/** The documented members of a delivery. */
export const documentedDelivery = (delivery: unknown): Readonly<Record<string, unknown>> =>
  Object(documented("/components/schemas/Delivery", delivery));
