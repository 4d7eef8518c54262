import type { ClauseId } from "../../../../openapi/generated/clauses.ts";
import { type ElementSet, elementSets, elementsOf } from "../../../core/contract/element-sets.ts";
import { partsOfTime, type Resource, type TimeInAnswers } from "../../../core/contract/resource-fields.ts";
import { forEachElement } from "../../../core/for-each-element.ts";
import { breaking } from "../../../core/mutation/breaks.ts";
import type { Mutant } from "../mutant.ts";
import { alterMember, mistypeMember, omitMember } from "../operators/resources.ts";

/** One member of a resource has a wrong type. */
const mistyped = <const Name extends string, const Member extends string>(
  name: Name,
  resource: Resource,
  { elements }: ElementSet<Member>,
  clauses: readonly ClauseId[],
): Readonly<Record<`${Name}-${Member}-mistyped`, Mutant>> =>
  forEachElement(
    elements,
    (member) => `${name}-${member}-mistyped` as const,
    (member) => ({
      fault: `${member} of every ${name} has the wrong type`,
      breaks: breaking(member, ...clauses),
      mutate: mistypeMember(resource, member),
    }),
  );

/** Omits one field of a resource, or one member of a nested object. */
const lacking = <const Name extends string, const Field extends string>(
  name: Name,
  resource: Resource,
  { elements }: ElementSet<Field>,
  clauses: readonly ClauseId[],
  inside?: string,
): Readonly<Record<`${Name}-lacks-${Field}`, Mutant>> =>
  forEachElement(
    elements,
    (field) => `${name}-lacks-${field}` as const,
    (field) => ({
      fault: `no ${name} has ${field}`,
      breaks: breaking(field, ...clauses),
      mutate: omitMember(resource, inside === undefined ? field : `${inside}.${field}`),
    }),
  );

const WITHOUT_A_ZONE = "2030-05-01T15:30:00";

const withoutAZone = (time: TimeInAnswers): Mutant => {
  const { resource, member } = partsOfTime(time);
  return {
    fault: `${time} has no zone`,
    breaks: breaking(time, "GEN-14"),
    mutate: alterMember(resource, member, (holder, key) => {
      const shown: unknown = Reflect.get(holder, key);
      Reflect.set(holder, key, typeof shown === "string" ? shown.replace("Z", "") : WITHOUT_A_ZONE);
    }),
  };
};

export const memberMutants = {
  ...mistyped("store", "Store", elementSets["members-of-a-store"], ["STORE-1"]),
  ...mistyped("delivery", "Delivery", elementSets["members-of-a-delivery"], ["DLV-1", "DLV-65"]),
  ...mistyped("quote", "Quote", elementSets["members-of-a-quote"], ["QUOTE-1", "QUOTE-25"]),
  ...mistyped("area", "DeliveryArea", elementSets["members-of-a-delivery-area"], ["AREA-1"]),
  ...mistyped("proof", "Proof", elementSets["members-of-a-proof"], ["PROOF-1"]),
  ...mistyped("subscription", "Webhook", elementSets["members-of-a-subscription"], ["HOOK-1"]),
  ...lacking("store", "Store", elementSets["fields-of-a-store"], ["STORE-2"]),
  ...lacking("delivery", "Delivery", elementSets["fields-of-a-delivery"], ["DLV-2"]),
  ...lacking("quote", "Quote", elementSets["fields-of-a-quote"], ["QUOTE-2"]),
  ...lacking("area", "DeliveryArea", elementSets["fields-of-a-delivery-area"], ["AREA-2"]),
  ...lacking("proof", "Proof", elementSets["fields-of-a-proof"], ["PROOF-2"]),
  ...lacking("subscription", "Webhook", elementSets["fields-of-a-subscription"], ["HOOK-2"]),
  ...lacking("courier", "Delivery", elementSets["keys-of-a-courier"], ["DLV-11"], "courier"),
  ...lacking("dropoff", "Delivery", elementSets["keys-of-a-dropoff"], ["DLV-14"], "dropoff"),
  ...lacking("fee", "Delivery", elementSets["keys-of-a-fee"], ["DLV-35"], "fee"),
  ...forEachElement(
    elementsOf("times-in-responses"),
    (time) => `${time}-without-a-zone` as const,
    withoutAZone,
  ),
} satisfies Record<string, Mutant>;
