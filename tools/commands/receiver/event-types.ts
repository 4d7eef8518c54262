import type { DeclarationName } from "../../../openapi/generated/declarations.ts";
import {
  DEFAULT_KINDS,
  DELIVERY_KINDS,
  type EventKind,
  kindsLeftOut,
} from "../../../suites/core/contract/event-kinds.ts";
import type { Given } from "../../settings/values.ts";
import { UsageError } from "../../usage-error.ts";

/** The declaration for a subscription without all default event types. */
const OTHER_KINDS = "other-event-types" satisfies DeclarationName;

function kindOf(name: string, from: string): EventKind {
  const kind = DELIVERY_KINDS.find((one) => one === name);
  if (kind !== undefined) return kind;
  throw new UsageError(
    `${from}: ${name || "(nothing)"} is no kind that a subscription lists; there are ${DELIVERY_KINDS.join(", ")}`,
  );
}

/**
 * The event types of the receiver's subscription.
 * @param given undefined for the defaults
 * @throws UsageError in one line
 */
export function eventTypesFrom(given: Given<readonly string[]> | undefined): readonly EventKind[] {
  if (given === undefined) return DEFAULT_KINDS;
  const { value: names, from } = given;
  if (names.length === 0) throw new UsageError(`${from} names no kind: leave it out for the default ones`);
  return [...new Set(names.map((name) => kindOf(name, from)))];
}

/**
 * Adds the declaration that the other event types never arrive, if the list omits default types.
 * @throws UsageError in one line if that is declared without a list
 */
export function withoutOtherKinds(
  declared: readonly DeclarationName[],
  eventTypes: readonly EventKind[],
): readonly DeclarationName[] {
  const others = declared.filter((name) => name !== OTHER_KINDS);
  if (kindsLeftOut(eventTypes).length > 0) return [...others, OTHER_KINDS];
  if (others.length === declared.length) return declared;
  throw new UsageError(`--without ${OTHER_KINDS}: say with --event-types which kinds its subscription lists`);
}
