import { textOf } from "../json.ts";
import { type Schemas, schemaErrorAt, serviceApi } from "./document.ts";

/** A resource of the specification's tables, by the name of its schema. */
export type Resource = "Store" | "Delivery" | "Quote" | "DeliveryArea" | "Proof" | "Webhook";

const RESOURCES: readonly Resource[] = ["Store", "Delivery", "Quote", "DeliveryArea", "Proof", "Webhook"];

/** The objects in a resource, by the field with one object or a list of them. */
const NESTED = {
  Store: { courier_company: "CourierCompany" },
  Delivery: {
    courier: "Courier",
    dropoff: "Dropoff",
    payment: "Payment",
    customer: "Customer",
    items: "Item",
    fee: "Fee",
  },
  Quote: { fee: "Fee" },
  DeliveryArea: { center: "Point" },
  Proof: {},
  Webhook: {},
} as const satisfies Readonly<Record<Resource, Readonly<Record<string, keyof Schemas>>>>;

type Nested = typeof NESTED;
type KeyOf<Name extends keyof Schemas> = keyof Schemas[Name] & string;
/** A field of a resource: `status`. */
type FieldOf<Name extends keyof Schemas> = KeyOf<Name>;
/** A member of an object inside a resource: `courier.name`. */
type InnerMemberOf<Name extends Resource> = {
  [Field in keyof Nested[Name] & string]: Nested[Name][Field] extends keyof Schemas
    ? `${Field}.${KeyOf<Nested[Name][Field]>}`
    : never;
}[keyof Nested[Name] & string];
/** A field, or a member of an object in a field: `status`, `courier.name`. */
type MemberOf<Name extends Resource> = FieldOf<Name> | InnerMemberOf<Name>;

/** Keywords that restrict a value. A schema without any of them allows every value. */
const RESTRICTING_KEYWORDS = ["type", "anyOf", "enum", "const"];

const propertiesOf = (schema: keyof Schemas): object =>
  serviceApi.lookUp(`/components/schemas/${schema}/properties`) ?? {};

/** The fields that the document gives a schema, in its order. */
export function fieldsOf<Name extends keyof Schemas>(schema: Name): readonly FieldOf<Name>[] {
  const properties = propertiesOf(schema);
  const isField = (name: string): name is FieldOf<Name> => Object.hasOwn(properties, name);
  return Object.keys(properties).filter(isField);
}

/** The schema of a member of a resource, as a JSON pointer. */
export function pointerOf(resource: Resource, member: string): string {
  const [field = "", inner] = member.split(".");
  const nestedSchema = Object.entries(NESTED[resource]).find(([name]) => name === field)?.[1];
  return inner === undefined || nestedSchema === undefined
    ? `/components/schemas/${resource}/properties/${field}`
    : `/components/schemas/${nestedSchema}/properties/${inner}`;
}

/** Every member of a resource with a documented type. Members of nested objects come last. */
export function typedMembersOf<Name extends Resource>(resource: Name): readonly MemberOf<Name>[] {
  const inner = Object.entries(NESTED[resource]).flatMap(([field, schema]) =>
    Object.keys(propertiesOf(schema)).map((name) => `${field}.${name}`),
  );
  const isTyped = (member: string): member is MemberOf<Name> =>
    Object.keys(serviceApi.lookUp(pointerOf(resource, member)) ?? {}).some((keyword) =>
      RESTRICTING_KEYWORDS.includes(keyword),
    );
  return [...fieldsOf(resource), ...inner].filter(isTyped);
}

/**
 * Members that the specification's tables allow to be null, or for which they state neither a type nor a
 * condition. Null in a courier's members is unspecified (OPEN-35). A pairing code only occurs in requests.
 */
const MAY_BE_NULL = {
  Store: [],
  Delivery: [
    "courier",
    "courier.name",
    "courier.phone",
    "courier.phone_masked",
    "courier.plate",
    "courier.lat",
    "courier.lng",
    "courier.location_at",
    "courier.heading",
    "dropoff.candidates",
    "payment.collected_type",
    "items.code",
    "scheduled_for",
    "notes",
    "fee",
    "distance_m",
    "road_km",
    "eta_pickup_at",
    "eta_dropoff_at",
    "ready_at",
    "assigned_at",
    "picked_up_at",
    "delivered_at",
    "cancelled_at",
    "returned_at",
    "delivery_pin",
    "failure_reason",
    "cancel_reason",
    "unassigned_alert_at",
  ],
  Quote: ["reason", "max_km", "eta_pickup_at", "eta_dropoff_at", "fee"],
  DeliveryArea: [],
  Proof: [],
  Webhook: ["failing_since"],
} as const satisfies { readonly [Name in Resource]: readonly MemberOf<Name>[] };

type NeverNullOf<Name extends Resource> = Exclude<MemberOf<Name>, (typeof MAY_BE_NULL)[Name][number]>;

/** Every typed member of a resource that must not be null once its value is known. */
export function neverNullMembersOf<Name extends Resource>(resource: Name): readonly NeverNullOf<Name>[] {
  const nullable: readonly string[] = MAY_BE_NULL[resource];
  const isNeverNull = (member: MemberOf<Name>): member is NeverNullOf<Name> => !nullable.includes(member);
  return typedMembersOf(resource).filter(isNeverNull);
}

/** True if the document forbids null. The document allows null if any resource may lack the value. */
const documentRefusesNull = (resource: Resource, member: string): boolean =>
  schemaErrorAt(pointerOf(resource, member), null) !== undefined;

/** Members for which the document forbids null: every record shows a value. */
export const visiblyNeverNullMembersOf = <Name extends Resource>(
  resource: Name,
): readonly NeverNullOf<Name>[] =>
  neverNullMembersOf(resource).filter((member) => documentRefusesNull(resource, member));

/** A time member with its resource: `Delivery.courier.location_at`. */
export type TimeInResponses = { [Name in Resource]: `${Name}.${MemberOf<Name>}` }[Resource];

/** The end of the document's pattern for UTC times. */
const IN_UTC = "Z$";

const timesOf = <Name extends Resource>(resource: Name): readonly `${Name}.${MemberOf<Name>}`[] =>
  typedMembersOf(resource)
    .filter((member) => textOf(serviceApi.lookUp(pointerOf(resource, member))?.pattern).endsWith(IN_UTC))
    .map((member) => `${resource}.${member}` as const);

/** Every time member of all resources. */
export const timesInResponses: readonly TimeInResponses[] = RESOURCES.flatMap((resource) =>
  timesOf(resource),
);

/** The resource and the member in a name such as `Delivery.courier.location_at`. */
export function partsOfTime(time: string): { readonly resource: Resource; readonly member: string } {
  const resource = RESOURCES.find((one) => time.startsWith(`${one}.`));
  if (resource === undefined) throw new Error(`${time} is of no resource`);
  return { resource, member: time.slice(resource.length + 1) };
}

/** The values of a member: none, one, or one per entry of the list that contains it. */
export function valuesAt(shown: object, member: string): readonly unknown[] {
  const [field = "", inner] = member.split(".");
  const fieldValue: unknown = Reflect.get(shown, field);
  if (inner === undefined) return [fieldValue];
  return [fieldValue]
    .flat()
    .filter((one) => typeof one === "object" && one !== null)
    .map((one: object): unknown => Reflect.get(one, inner));
}
