import { document } from "./document.ts";

/** What a subscription's owner asks for to try an address (Events, Testing an address). */
export const TEST_KIND = "webhook.test";
/** The kind that is sent to those only who name it. */
export const LOCATION_KIND = "delivery.courier_location";

/** Every kind of event, as the document names them. */
export const ALL_KINDS: readonly string[] = Object.keys(document.webhooks ?? {});
/** The kinds of a subscription that names none (Events, Event kinds). */
export const DEFAULT_KINDS: readonly string[] = ALL_KINDS.filter(
  (kind) => kind !== TEST_KIND && kind !== LOCATION_KIND,
);
