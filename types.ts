/**
 * The API's types, made from the OpenAPI document: what clients and receivers are checked against as they are written.
 * `paths` is what openapi-fetch and the like take. A type states what the specification states: of a delivery's status,
 * for one, that it is a string.
 */
import type { components, webhooks } from "./openapi/generated/courier-dispatch.ts";

export type { components, operations, paths, webhooks } from "./openapi/generated/courier-dispatch.ts";

/** Every named shape: `Schemas["Store"]`. */
export type Schemas = components["schemas"];
/** A delivery as it is answered, and as events hold it. */
export type Delivery = Schemas["Delivery"];
/** The body that opens a delivery. */
export type NewDelivery = Schemas["NewDelivery"];
/** The kinds of events that there are; more may come. */
export type EventKind = keyof webhooks;
type BodyOf<Kind extends EventKind> = NonNullable<
  webhooks[Kind]["post"]["requestBody"]
>["content"]["application/json"];
/** The body of a webhook of one kind. */
export type WebhookEventOf<Kind extends EventKind> = Omit<Schemas["Event"], "type" | "data"> & {
  type: Kind;
  data: BodyOf<Kind>["data"];
};
/**
 * The body of a webhook: `type` says what `data` is, the delivery or, for `webhook.test`, null. Further kinds may come:
 * ignore those that are not known.
 */
export type WebhookEvent = { [Kind in EventKind]: WebhookEventOf<Kind> }[EventKind];
