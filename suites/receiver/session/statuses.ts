import { DEFAULT_KINDS, type EventKind, LOCATION_KIND } from "../../core/contract/event-kinds.ts";

/** The service's strings for states, by their name in the kinds of events: `at_pickup`, `delivered`. */
export type Statuses = Readonly<Record<string, string>>;

/** The strings that the specification gives (States and transitions), by the kind of event that they go with. */
const GIVEN: Readonly<Partial<Record<EventKind, string>>> = {
  "delivery.created": "QUEUED",
  "delivery.queued": "QUEUED",
  "delivery.updated": "QUEUED",
  "delivery.assigned": "ASSIGNED",
};

/** The name of the state in a kind of event. */
export const nameOf = (kind: string): string =>
  kind === LOCATION_KIND ? "en_route" : kind.slice("delivery.".length);

/** The names of the states whose strings aren't shown: only who knows the service can say them. */
export const STATES_WITHOUT_STRING: readonly string[] = DEFAULT_KINDS.filter(
  (kind) => !Object.hasOwn(GIVEN, kind),
).map(nameOf);

/**
 * The status of a delivery in an event of this kind. If the status's string is unknown, the delivery keeps the last
 * given one, since a receiver may know the service's strings and no others.
 */
export function statusAt(kind: EventKind, statuses: Statuses): string {
  return GIVEN[kind] ?? statuses[nameOf(kind)] ?? (kind === "delivery.offered" ? "QUEUED" : "ASSIGNED");
}

/** True if this kind's status is a substitute for an unknown string. */
export const isPlaceholder = (kind: string, statuses: Statuses): boolean =>
  !Object.hasOwn(GIVEN, kind) && statuses[nameOf(kind)] === undefined;
