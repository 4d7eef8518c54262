import type { DeclarationName } from "../../../openapi/generated/declarations.ts";
import {
  DEFAULT_KINDS,
  DELIVERY_KINDS,
  type EventKind,
  kindsLeftOut,
} from "../../../suites/core/contract/event-kinds.ts";
import { UsageError } from "../../usage-error.ts";

/** What a list that leaves out default kinds declares. */
const OTHER_KINDS = "other-kinds" satisfies DeclarationName;

function kindOf(name: string): EventKind {
  const kind = DELIVERY_KINDS.find((one) => one === name);
  if (kind !== undefined) return kind;
  throw new UsageError(
    `--event-types: ${name || "(nothing)"} is no kind that a subscription lists; there are ${DELIVERY_KINDS.join(", ")}`,
  );
}

/**
 * The kinds that the receiver's subscription lists.
 * @param names the default ones where undefined
 * @throws UsageError in one line
 */
export function eventTypesFrom(names: readonly string[] | undefined): readonly EventKind[] {
  if (names === undefined) return DEFAULT_KINDS;
  if (names.length === 0)
    throw new UsageError("--event-types names no kind: leave it out for the default ones");
  return [...new Set(names.map(kindOf))];
}

/**
 * What is declared with such a list: that other kinds never come, where it leaves default ones out.
 * @throws UsageError in one line where that is declared without a list
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
