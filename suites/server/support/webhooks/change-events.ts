import type { Schemas } from "../../../core/contract/document.ts";
import { CheckFailure } from "../../../core/grading/failures/failure.ts";
import { forbiddenObservation } from "../../../core/grading/failures/mismatch.ts";
import { numberOf, textOf } from "../../../core/json.ts";
import { type Attempt, deliveryOf } from "../../session/webhook-receiver/attempt.ts";
import type { Inbox } from "../../session/webhook-receiver/inbox.ts";
import { WebhookFailure } from "../../session/webhook-receiver/webhook-failure.ts";
import { expectFields } from "../assertions.ts";
import { isAbout } from "./delivery-events.ts";

type Delivery = Schemas["Delivery"];
type Change = Schemas["DeliveryChange"];

/** The difference between an event's data and a change; undefined if the data has the change. */
function differenceFrom(attempt: Attempt, change: Change): string | undefined {
  try {
    expectFields(deliveryOf(attempt), change, "data");
    return undefined;
  } catch (error) {
    if (!(error instanceof CheckFailure)) throw error;
    return error.message;
  }
}

/** The change in words: `a change of notes`, `a removal of ready_at`. */
const inWords = (change: Change): string =>
  Object.entries(change)
    .map(([field, value]) => `a ${value === null ? "removal" : "change"} of ${field}`)
    .join(" and ");

/** The failure if no delivery.updated has the change, with the last one's data. */
function withoutChange(inbox: Inbox, { id, version }: Delivery, change: Change): WebhookFailure | undefined {
  const received = inbox.attempts.findLast(isAbout({ id }, "delivery.updated"));
  const data = received && deliveryOf(received);
  if (!received || !data) return undefined;
  const shown = `${differenceFrom(received, change) ?? "it contains the change"}`;
  // An event with an earlier version may report an earlier change.
  const statement =
    numberOf(data.version) > version
      ? `delivery.updated arrived after ${inWords(change)} and doesn't show it: ${shown}`
      : `no delivery.updated with a version over ${version} arrived after ${inWords(change)}: the last has version ${textOf(data.version)}; ${shown}`;
  const actual = Object.fromEntries(["version", ...Object.keys(change)].map((name) => [name, data[name]]));
  return new WebhookFailure(forbiddenObservation(statement, { expected: change, actual }), {
    attempts: [received],
  });
}

/**
 * Waits for a delivery.updated with the change. A late event may have a later state (OPEN-188), and a
 * geocoding service may report the delivery too (OPEN-83).
 */
export function waitForChange(inbox: Inbox, before: Delivery, change: Change): Promise<Attempt> {
  const shows = (attempt: Attempt): boolean =>
    isAbout(before, "delivery.updated")(attempt) &&
    numberOf(deliveryOf(attempt)?.version) > before.version &&
    differenceFrom(attempt, change) === undefined;
  const what = `delivery.updated that shows ${inWords(change)}`;
  return inbox.waitForFirst(shows, what, undefined, () => withoutChange(inbox, before, change));
}
