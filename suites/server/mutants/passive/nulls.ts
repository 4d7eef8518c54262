import type { ClauseId } from "../../../../openapi/generated/clauses.ts";
import { elementsOf } from "../../../core/contract/element-sets.ts";
import { neverNullMembersOf, type Resource } from "../../../core/contract/resource-fields.ts";
import { forEachElement } from "../../../core/for-each-element.ts";
import { breaking } from "../../../core/mutation/breaks.ts";
import type { Mutant, Mutants } from "../mutant.ts";
import { alterEventData } from "../operators/envelopes.ts";
import { alterMember, setNull, withMember } from "../operators/resources.ts";

/** The clauses about members whose value has its own clauses, instead of the whole resource's clauses. */
const CLAUSES_BY_MEMBER: Readonly<Record<string, readonly ClauseId[]>> = {
  "store-phone": ["STORE-6"],
  "store-lat": ["STORE-8"],
  "store-lng": ["STORE-8"],
  "delivery-tracking_url": ["DLV-65"],
  "delivery-pin_required": ["DLV-65"],
  "delivery-customer": ["DLV-24"],
  "delivery-customer.name": ["DLV-24"],
  "delivery-customer.note": ["DLV-24"],
  "delivery-customer.phone": ["DLV-26"],
  "delivery-customer.phone_extension": ["DLV-27"],
  "delivery-items": ["DLV-28"],
  "delivery-items.name": ["DLV-28"],
  "delivery-items.quantity": ["DLV-28"],
  "delivery-items.total": ["DLV-28"],
  "delivery-origin_channel": ["DLV-31"],
  "delivery-dropoff.lat": ["DLV-16"],
  "delivery-dropoff.lng": ["DLV-16"],
  "delivery-dropoff.district": ["DLV-17"],
  "delivery-dropoff.neighborhood": ["DLV-17"],
  "delivery-dropoff.city": ["DLV-17"],
  "delivery-payment.subtotal": ["DLV-20"],
  "delivery-payment.discount": ["DLV-20"],
  "quote-couriers_on_shift": ["QUOTE-25"],
  "quote-expires_at": ["QUOTE-25"],
  "quote-distance_m": ["QUOTE-11"],
  "quote-road_km": ["QUOTE-12"],
  "area-center": ["AREA-4"],
  "area-radius_m": ["AREA-5"],
  "proof-lat": ["PROOF-5"],
  "proof-lng": ["PROOF-5"],
  "subscription-description": ["HOOK-4"],
  "subscription-event_types": ["HOOK-5"],
};

/** The checks that catch a null if several checks verify the member's clause. */
const CHECKS_BY_MEMBER: Readonly<Record<string, readonly string[]>> = {
  "store-phone": ["stores.phone"],
  "area-center": ["areas.circle"],
  "delivery-payment.subtotal": ["delivery-fields.subtotal"],
  "delivery-payment.discount": ["delivery-fields.subtotal"],
  "subscription-description": ["subscriptions.creation"],
  "subscription-event_types": ["subscriptions.creation"],
};

/** A mutant for each of these members of a resource, which is then null although the table doesn't allow it. */
const nullMembers = <const Name extends string, const Member extends string>(
  name: Name,
  resource: Resource,
  members: readonly Member[],
  clauses: readonly ClauseId[],
): Readonly<Record<`${Name}-${Member}-null`, Mutant>> =>
  forEachElement(
    members,
    (member) => `${name}-${member}-null`,
    (member) => ({
      fault: `${member} of every ${name} is null`,
      actual: "null",
      breaks: breaking(member, ...(CLAUSES_BY_MEMBER[`${name}-${member}`] ?? clauses)),
      caughtBy: CHECKS_BY_MEMBER[`${name}-${member}`],
      mutate: alterMember(resource, member, setNull),
    }),
  );

export const nullMutants: Mutants = {
  ...forEachElement(
    elementsOf("never-null-members-of-webhook-data"),
    (member) => `event-data-${member}-null`,
    (member) => ({
      fault: `${member} is null in the data of events, and nowhere else`,
      breaks: breaking(member, "EVENT-8"),
      mutate: alterEventData((data) => withMember(data, member, setNull)),
    }),
  ),
  ...nullMembers("store", "Store", neverNullMembersOf("Store"), ["STORE-1"]),
  ...nullMembers("delivery", "Delivery", neverNullMembersOf("Delivery"), ["DLV-1"]),
  ...nullMembers("quote", "Quote", neverNullMembersOf("Quote"), ["QUOTE-1"]),
  ...nullMembers("area", "DeliveryArea", neverNullMembersOf("DeliveryArea"), ["AREA-1"]),
  ...nullMembers("proof", "Proof", neverNullMembersOf("Proof"), ["PROOF-1"]),
  ...nullMembers("subscription", "Webhook", neverNullMembersOf("Webhook"), ["HOOK-1"]),
};
