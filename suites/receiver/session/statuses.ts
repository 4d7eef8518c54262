import { DEFAULT_KINDS, type EventKind, LOCATION_KIND } from "../../core/contract/event-kinds.ts";

/** The strings that the service has for states, by the name that the kinds of events give them: `at_pickup`, `delivered`. */
export type Statuses = Readonly<Record<string, string>>;

/** The strings that the specification gives (States and transitions), by the kind of event that they go with. */
const GIVEN: Readonly<Partial<Record<EventKind, string>>> = {
  "delivery.created": "QUEUED",
  "delivery.queued": "QUEUED",
  "delivery.updated": "QUEUED",
  "delivery.assigned": "ASSIGNED",
};

/** The name of the state that a kind of event tells of. */
export const nameOf = (kind: string): string =>
  kind === LOCATION_KIND ? "en_route" : kind.slice("delivery.".length);

/** The names of the states whose strings aren't shown: only who knows the service can say them. */
export const STATES_WITHOUT_STRING: readonly string[] = DEFAULT_KINDS.filter(
  (kind) => !Object.hasOwn(GIVEN, kind),
).map(nameOf);

/**
 * The status of a delivery when an event of this kind tells of it. A string that isn't shown, and that nobody gave, is left
 * out: the last one that is given stands in its place, since a receiver may know the service's strings and no others.
 */
export function statusAt(kind: EventKind, statuses: Statuses): string {
  return GIVEN[kind] ?? statuses[nameOf(kind)] ?? (kind === "delivery.offered" ? "QUEUED" : "ASSIGNED");
}

/** Whether the status that goes with this kind stands in for one that isn't known. */
export const isStandIn = (kind: string, statuses: Statuses): boolean =>
  !Object.hasOwn(GIVEN, kind) && statuses[nameOf(kind)] === undefined;
