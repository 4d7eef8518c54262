/**
 * The API's types, generated from the OpenAPI document, for compiling clients and receivers. Pass `paths` to
 * openapi-fetch and similar libraries. A type is as wide as the specification: a delivery's status, for
 * example, is a string.
 */
import type { components, webhooks } from "./openapi/generated/courier-dispatch.ts";

export type { components, operations, paths, webhooks } from "./openapi/generated/courier-dispatch.ts";

/** Every named shape: `Schemas["Store"]`. */
export type Schemas = components["schemas"];
/** A delivery in responses and events. */
export type Delivery = Schemas["Delivery"];
/** The body that creates a delivery. */
export type NewDelivery = Schemas["NewDelivery"];
/** The event types. Later versions may add more. */
export type EventKind = keyof webhooks;
type BodyOf<Kind extends EventKind> = NonNullable<
  webhooks[Kind]["post"]["requestBody"]
>["content"]["application/json"];
/** The body of a webhook of one type. */
export type WebhookEventOf<Kind extends EventKind> = Omit<Schemas["Event"], "type" | "data"> & {
  type: Kind;
  data: BodyOf<Kind>["data"];
};
/**
 * The body of a webhook. By `type`, `data` is the delivery or, for `webhook.test`, null. Ignore unknown
 * types, because later versions may add more.
 */
export type WebhookEvent = { [Kind in EventKind]: WebhookEventOf<Kind> }[EventKind];
