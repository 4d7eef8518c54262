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
/** The body of a webhook, of whatever kind: `data` is null for `webhook.test`. */
export type WebhookEvent = Schemas["Event"];
