import type { webhooks } from "../../../openapi/generated/courier-dispatch.ts";
import { document } from "./document.ts";

/** A kind of event, as the document names it: the one place for a kind. */
export type EventKind = keyof webhooks;

/** The event that a subscription's owner requests to test an endpoint (Events, Testing an address). */
export const TEST_KIND = "webhook.test" satisfies EventKind;
/** The kind that is sent to those only who name it. */
export const LOCATION_KIND = "delivery.courier_location" satisfies EventKind;

const documented = document.webhooks ?? {};
const isKind = (name: string): name is EventKind => Object.hasOwn(Object(documented), name);

/** Every kind of event, in the document's order. */
export const ALL_KINDS: readonly EventKind[] = Object.keys(documented).filter(isKind);
/** The kinds of a subscription that names none (Events, Event kinds). */
export const DEFAULT_KINDS: readonly EventKind[] = ALL_KINDS.filter(
  (kind) => kind !== TEST_KIND && kind !== LOCATION_KIND,
);

/** The kinds that a subscription may list: all that are about deliveries. */
export const DELIVERY_KINDS: readonly EventKind[] = ALL_KINDS.filter((kind) => kind !== TEST_KIND);

/** The kinds of a subscription that names none which one with this list leaves out. */
export const kindsLeftOut = (eventTypes: readonly EventKind[]): readonly EventKind[] =>
  DEFAULT_KINDS.filter((kind) => !eventTypes.includes(kind));
