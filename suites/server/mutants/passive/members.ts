import { type ElementSet, elementSets, elementsOf } from "../../../core/contract/element-sets.ts";
import { partsOfTime, type Resource, type TimeInAnswers } from "../../../core/contract/resource-fields.ts";
import { forEachElement } from "../../../core/for-each-element.ts";
import type { Mutant } from "../mutant.ts";
import { alterMember, mistypeMember, omitMember } from "../operators/resources.ts";

/** One member of a resource has another type than stated. */
const mistyped = <const Name extends string, const Member extends string>(
  name: Name,
  resource: Resource,
  { elements }: ElementSet<Member>,
): Readonly<Record<`${Name}-${Member}-mistyped`, Mutant>> =>
  forEachElement(
    elements,
    (member) => `${name}-${member}-mistyped` as const,
    (member) => ({
      fault: `${member} of every ${name} is of another type than stated`,
      mutate: mistypeMember(resource, member),
    }),
  );

/** One field of a resource, or one key of what stands in it, is left out. */
const lacking = <const Name extends string, const Field extends string>(
  name: Name,
  resource: Resource,
  { elements }: ElementSet<Field>,
  inside?: string,
): Readonly<Record<`${Name}-lacks-${Field}`, Mutant>> =>
  forEachElement(
    elements,
    (field) => `${name}-lacks-${field}` as const,
    (field) => ({
      fault: `no ${name} has ${field}`,
      mutate: omitMember(resource, inside === undefined ? field : `${inside}.${field}`),
    }),
  );

const WITHOUT_A_ZONE = "2030-05-01T15:30:00";

const withoutAZone = (time: TimeInAnswers): Mutant => {
  const { resource, member } = partsOfTime(time);
  return {
    fault: `${time} has no zone`,
    mutate: alterMember(resource, member, (holder, key) => {
      const shown: unknown = Reflect.get(holder, key);
      Reflect.set(holder, key, typeof shown === "string" ? shown.replace("Z", "") : WITHOUT_A_ZONE);
    }),
  };
};

export const memberMutants = {
  ...mistyped("store", "Store", elementSets["members-of-a-store"]),
  ...mistyped("delivery", "Delivery", elementSets["members-of-a-delivery"]),
  ...mistyped("quote", "Quote", elementSets["members-of-a-quote"]),
  ...mistyped("area", "DeliveryArea", elementSets["members-of-a-delivery-area"]),
  ...mistyped("proof", "Proof", elementSets["members-of-a-proof"]),
  ...mistyped("subscription", "Webhook", elementSets["members-of-a-subscription"]),
  ...lacking("store", "Store", elementSets["fields-of-a-store"]),
  ...lacking("delivery", "Delivery", elementSets["fields-of-a-delivery"]),
  ...lacking("quote", "Quote", elementSets["fields-of-a-quote"]),
  ...lacking("area", "DeliveryArea", elementSets["fields-of-a-delivery-area"]),
  ...lacking("proof", "Proof", elementSets["fields-of-a-proof"]),
  ...lacking("subscription", "Webhook", elementSets["fields-of-a-subscription"]),
  ...lacking("courier", "Delivery", elementSets["keys-of-a-courier"], "courier"),
  ...lacking("dropoff", "Delivery", elementSets["keys-of-a-dropoff"], "dropoff"),
  ...lacking("fee", "Delivery", elementSets["keys-of-a-fee"], "fee"),
  ...forEachElement(
    elementsOf("times-in-answers"),
    (time) => `${time}-without-a-zone` as const,
    withoutAZone,
  ),
} satisfies Record<string, Mutant>;
