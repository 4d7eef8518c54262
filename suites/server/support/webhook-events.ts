import type { Schemas } from "../../core/document.ts";
import { type Attempt, deliveryOf, firstAttempts, kindOf } from "../session/webhook-receiver/attempt.ts";
import type { Inbox } from "../session/webhook-receiver/inbox.ts";

type Id = Pick<Schemas["Delivery"], "id">;

/** Whether an attempt tells this of the delivery. */
export const tells =
  (kind: string, { id }: Id) =>
  (attempt: Attempt): boolean =>
    kindOf(attempt) === kind && deliveryOf(attempt)?.id === id;

/** The events of a delivery by now, repeats of the same event aside. */
export const eventsOf = ({ attempts }: Inbox, { id }: Id): readonly Attempt[] =>
  firstAttempts(attempts).filter((attempt) => deliveryOf(attempt)?.id === id);

export const kindsOf = (inbox: Inbox, delivery: Id): readonly string[] =>
  eventsOf(inbox, delivery).map(kindOf);

/** How many events of a kind there are by now, repeats of the same event aside. */
export const countOf = (inbox: Inbox, kind: string, delivery: Id): number =>
  kindsOf(inbox, delivery).filter((one) => one === kind).length;

/** Waits until the address has been told this of the delivery; gives the first attempt. */
export const told = (inbox: Inbox, kind: string, delivery: Id): Promise<Attempt> =>
  inbox.first(tells(kind, delivery), `${kind} of ${delivery.id}`);

/** Waits until the address has been told all of this of the delivery, in whatever order. */
export const toldAll = (inbox: Inbox, kinds: readonly string[], delivery: Id): Promise<void> =>
  inbox.until(
    () => kinds.every((kind) => countOf(inbox, kind, delivery) > 0),
    `each of ${kinds.join(", ")} of ${delivery.id}`,
  );
