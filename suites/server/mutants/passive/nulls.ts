import { elementsOf } from "../../../core/contract/element-sets.ts";
import { neverNullMembersOf, type Resource } from "../../../core/contract/resource-fields.ts";
import { forEachElement } from "../../../core/for-each-element.ts";
import type { Mutant } from "../mutant.ts";
import { telling } from "../operators/envelopes.ts";
import { alterMember, setNull, withMember } from "../operators/resources.ts";

/** One member of a resource is null, though the table doesn't let it be. */
const nullsOf = <const Name extends string, const Member extends string>(
  name: Name,
  resource: Resource,
  members: readonly Member[],
): Readonly<Record<`${Name}-${Member}-null`, Mutant>> =>
  forEachElement(
    members,
    (member) => `${name}-${member}-null` as const,
    (member) => ({
      fault: `${member} of every ${name} is null`,
      mutate: alterMember(resource, member, setNull),
    }),
  );

export const nullMutants = {
  ...forEachElement(
    elementsOf("never-null-members-of-webhook-data"),
    (member) => `event-data-${member}-null` as const,
    (member) => ({
      fault: `${member} is null in the data of events, and nowhere else`,
      mutate: telling((data) => withMember(data, member, setNull)),
    }),
  ),
  ...nullsOf("store", "Store", neverNullMembersOf("Store")),
  ...nullsOf("delivery", "Delivery", neverNullMembersOf("Delivery")),
  ...nullsOf("quote", "Quote", neverNullMembersOf("Quote")),
  ...nullsOf("area", "DeliveryArea", neverNullMembersOf("DeliveryArea")),
  ...nullsOf("proof", "Proof", neverNullMembersOf("Proof")),
  ...nullsOf("subscription", "Webhook", neverNullMembersOf("Webhook")),
} satisfies Record<string, Mutant>;
