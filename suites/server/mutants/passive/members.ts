import type { ClauseId } from "../../../../openapi/generated/clauses.ts";
import { type ElementSet, elementSets, elementsOf } from "../../../core/contract/element-sets.ts";
import { partsOfTime, type Resource, type TimeInResponses } from "../../../core/contract/resource-fields.ts";
import { forEachElement } from "../../../core/for-each-element.ts";
import { breaking } from "../../../core/mutation/breaks.ts";
import type { Mutant, Mutants } from "../mutant.ts";
import { alterMember, mistypeMember, omitMember } from "../operators/resources.ts";

/** A mutant for each member of a resource, which then has a wrong type. */
const mistypedMembers = <const Name extends string, const Member extends string>(
  name: Name,
  resource: Resource,
  { elements }: ElementSet<Member>,
  clauses: readonly ClauseId[],
): Readonly<Record<`${Name}-${Member}-mistyped`, Mutant>> =>
  forEachElement(
    elements,
    (member) => `${name}-${member}-mistyped`,
    (member) => ({
      fault: `${member} of every ${name} has the wrong type`,
      breaks: breaking(member, ...clauses),
      mutate: mistypeMember(resource, member),
    }),
  );

/** A mutant for each field of a resource, or of the nested object `parent`, which is then missing. */
const missingMembers = <const Name extends string, const Field extends string>(
  name: Name,
  resource: Resource,
  { elements }: ElementSet<Field>,
  clauses: readonly ClauseId[],
  parent?: string,
): Readonly<Record<`${Name}-lacks-${Field}`, Mutant>> =>
  forEachElement(
    elements,
    (field) => `${name}-lacks-${field}`,
    (field) => ({
      fault: `no ${name} has ${field}`,
      breaks: breaking(field, ...clauses),
      mutate: omitMember(resource, parent === undefined ? field : `${parent}.${field}`),
    }),
  );

const TIME_WITHOUT_ZONE = "2030-05-01T15:30:00";

const withoutZone = (time: TimeInResponses): Mutant => {
  const { resource, member } = partsOfTime(time);
  return {
    fault: `${time} has no zone`,
    breaks: breaking(time, "GEN-14"),
    caughtBy: ["passive.times-in-utc"],
    mutate: alterMember(resource, member, (holder, key) => {
      const value: unknown = Reflect.get(holder, key);
      Reflect.set(holder, key, typeof value === "string" ? value.replace("Z", "") : TIME_WITHOUT_ZONE);
    }),
  };
};

export const memberMutants: Mutants = {
  ...mistypedMembers("store", "Store", elementSets["members-of-a-store"], ["STORE-1"]),
  ...mistypedMembers("delivery", "Delivery", elementSets["members-of-a-delivery"], ["DLV-1"]),
  ...mistypedMembers("quote", "Quote", elementSets["members-of-a-quote"], ["QUOTE-1"]),
  ...mistypedMembers("area", "DeliveryArea", elementSets["members-of-a-delivery-area"], ["AREA-1"]),
  ...mistypedMembers("proof", "Proof", elementSets["members-of-a-proof"], ["PROOF-1"]),
  ...mistypedMembers("subscription", "Webhook", elementSets["members-of-a-subscription"], ["HOOK-1"]),
  ...missingMembers("store", "Store", elementSets["fields-of-a-store"], ["STORE-2"]),
  ...missingMembers("delivery", "Delivery", elementSets["fields-of-a-delivery"], ["DLV-2"]),
  ...missingMembers("quote", "Quote", elementSets["fields-of-a-quote"], ["QUOTE-2"]),
  ...missingMembers("area", "DeliveryArea", elementSets["fields-of-a-delivery-area"], ["AREA-2"]),
  ...missingMembers("proof", "Proof", elementSets["fields-of-a-proof"], ["PROOF-2"]),
  ...missingMembers("subscription", "Webhook", elementSets["fields-of-a-subscription"], ["HOOK-2"]),
  ...missingMembers("courier", "Delivery", elementSets["keys-of-a-courier"], ["DLV-11"], "courier"),
  ...missingMembers("dropoff", "Delivery", elementSets["keys-of-a-dropoff"], ["DLV-14"], "dropoff"),
  ...missingMembers("fee", "Delivery", elementSets["keys-of-a-fee"], ["DLV-35"], "fee"),
  ...forEachElement(elementsOf("times-in-responses"), (time) => `${time}-without-a-zone`, withoutZone),
};
