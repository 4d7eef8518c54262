import { DEFAULT_KINDS, type EventKind, LOCATION_KIND } from "../../core/contract/event-kinds.ts";

/** The service's strings for states, by the state's name in event types: `at_pickup`, `delivered`. */
export type Statuses = Readonly<Record<string, string>>;

/** The specified strings (specification, "States and transitions"), by event type. */
const SPECIFIED: Readonly<Partial<Record<EventKind, string>>> = {
  "delivery.created": "QUEUED",
  "delivery.queued": "QUEUED",
  "delivery.updated": "QUEUED",
  "delivery.assigned": "ASSIGNED",
};

/** The name of the state in an event's type. */
export const nameOf = (kind: string): string =>
  kind === LOCATION_KIND ? "en_route" : kind.slice("delivery.".length);

/** The names of the states whose string isn't specified. */
export const STATES_WITHOUT_STRING: readonly string[] = DEFAULT_KINDS.filter(
  (kind) => !Object.hasOwn(SPECIFIED, kind),
).map(nameOf);

/**
 * The status of a delivery in an event of this type. If the status has no known string, the last specified
 * string before it, because a receiver may refuse unknown strings.
 */
export function statusAt(kind: EventKind, statuses: Statuses): string {
  return SPECIFIED[kind] ?? statuses[nameOf(kind)] ?? (kind === "delivery.offered" ? "QUEUED" : "ASSIGNED");
}

/** True if this type's status is a placeholder for an unknown string. */
export const isPlaceholder = (kind: string, statuses: Statuses): boolean =>
  !Object.hasOwn(SPECIFIED, kind) && statuses[nameOf(kind)] === undefined;
