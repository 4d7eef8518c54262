import { schemaErrorAt } from "../../../core/contract/document.ts";
import { pointerOf, type Resource } from "../../../core/contract/resource-fields.ts";
import { isObject } from "../../../core/json.ts";
import type { Mutate } from "../mutant.ts";

function alterResource(resource: Resource, change: <T extends object>(shown: T) => T): Mutate {
  return (deps) => {
    const { views } = deps;
    const changed: Readonly<Record<Resource, Partial<typeof views>>> = {
      Store: { store: (...given) => change(views.store(...given)) },
      Delivery: { delivery: (...given) => change(views.delivery(...given)) },
      Quote: { quote: (...given) => change(views.quote(...given)) },
      DeliveryArea: { area: (...given) => change(views.area(...given)) },
      Proof: { proof: (...given) => change(views.proof(...given)) },
      Webhook: { webhook: (...given) => change(views.webhook(...given)) },
    };
    return { ...deps, views: { ...views, ...changed[resource] } };
  };
}

/** A server that changes one member of a resource in responses, in each list entry if it is in a list. */
export const alterMember = (
  resource: Resource,
  member: string,
  change: (holder: object, key: string) => void,
): Mutate => alterResource(resource, (shown) => withMember(shown, member, change));

/** A copy with one changed member, in each list entry if it is in a list. */
export function withMember<T extends object>(
  shown: T,
  member: string,
  change: (holder: object, key: string) => void,
): T {
  const copy = structuredClone(shown);
  const [field = "", inner] = member.split(".");
  const held: unknown = Reflect.get(copy, field);
  const holders: readonly object[] = inner === undefined ? [copy] : [held].flat().filter(isObject);
  for (const holder of holders) change(holder, inner ?? field);
  return copy;
}

export const setNull = (holder: object, key: string): void => void Reflect.set(holder, key, null);

/** Values of different types, so that at least one is wrong for any member. */
const ODD_VALUES = [12, "twelve", true];

function wrongValueOf(resource: Resource, member: string): unknown {
  const wrong = ODD_VALUES.find((value) => schemaErrorAt(pointerOf(resource, member), value) !== undefined);
  if (wrong === undefined) throw new Error(`${resource} takes anything as ${member}`);
  return wrong;
}

/** A server that returns a member with a type that the document doesn't allow. */
export const mistypeMember =
  (resource: Resource, member: string): Mutate =>
  (deps) => {
    const wrong = wrongValueOf(resource, member);
    return alterMember(resource, member, (holder, key) => void Reflect.set(holder, key, wrong))(deps);
  };

export const omitMember = (resource: Resource, member: string): Mutate =>
  alterMember(resource, member, (holder, key) => void Reflect.deleteProperty(holder, key));
