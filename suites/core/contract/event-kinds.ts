import type { webhooks } from "../../../openapi/generated/courier-dispatch.ts";
import { serviceApi } from "./document.ts";

/** A type of event, as named in the document. */
export type EventKind = keyof webhooks;

/** The event that an integrator requests to test an endpoint (specification, "Webhook subscriptions"). */
export const TEST_KIND = "webhook.test" satisfies EventKind;
/** The type that is only sent to endpoints that list it. */
export const LOCATION_KIND = "delivery.courier_location" satisfies EventKind;

const documented = serviceApi.content.webhooks ?? {};
const isKind = (name: string): name is EventKind => Object.hasOwn(Object(documented), name);

/** Every type of event, in the document's order. */
export const ALL_KINDS: readonly EventKind[] = Object.keys(documented).filter(isKind);
/** The types of a subscription without a list (specification, "Event kinds"). */
export const DEFAULT_KINDS: readonly EventKind[] = ALL_KINDS.filter(
  (kind) => kind !== TEST_KIND && kind !== LOCATION_KIND,
);

/** The types that a subscription may list: all delivery events. */
export const DELIVERY_KINDS: readonly EventKind[] = ALL_KINDS.filter((kind) => kind !== TEST_KIND);

/** The default types that a list omits. */
export const kindsLeftOut = (eventTypes: readonly EventKind[]): readonly EventKind[] =>
  DEFAULT_KINDS.filter((kind) => !eventTypes.includes(kind));
