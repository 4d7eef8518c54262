import type { Schemas } from "../../../core/contract/document.ts";
import { CheckFailure } from "../../../core/grading/failures/failure.ts";
import { forbiddenObservation } from "../../../core/grading/failures/mismatch.ts";
import { numberOf, textOf } from "../../../core/json.ts";
import { described } from "../../../core/text/shown-value.ts";
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
function withoutChange(
  inbox: Inbox,
  { id, version }: Delivery,
  change: Change,
  shown: Change,
): WebhookFailure | undefined {
  const received = inbox.attempts.findLast(isAbout({ id }, "delivery.updated"));
  const data = received && deliveryOf(received);
  if (!received || !data) return undefined;
  const what = inWords(change);
  // An event with an earlier version may report an earlier change.
  const isLater = numberOf(data.version) > version;
  const statement = isLater
    ? `delivery.updated arrived after ${what} and doesn't show it: ${differenceFrom(received, shown) ?? "it contains the change"}`
    : `no delivery.updated with a version over ${version} arrived after ${what}: the last has version ${textOf(data.version)}`;
  const compared = isLater
    ? { expected: shown, actual: Object.fromEntries(Object.keys(shown).map((name) => [name, data[name]])) }
    : { expected: described(`a version over ${version}`), actual: data.version };
  return new WebhookFailure(forbiddenObservation(statement, compared), { attempts: [received] });
}

/**
 * Waits for a delivery.updated with the change. A late event may have a later state (OPEN-188), and a
 * geocoding service may report the delivery too (OPEN-83).
 * @param change the PATCH
 * @param shown the values that the event has to show, if they differ from the PATCH
 */
export function waitForChange(
  inbox: Inbox,
  before: Delivery,
  change: Change,
  shown: Change = change,
): Promise<Attempt> {
  const shows = (attempt: Attempt): boolean =>
    isAbout(before, "delivery.updated")(attempt) &&
    numberOf(deliveryOf(attempt)?.version) > before.version &&
    differenceFrom(attempt, shown) === undefined;
  const what = { field: "delivery.updated", where: `of ${before.id} that shows ${inWords(change)}` };
  return inbox.waitForFirst(shows, what, undefined, () => withoutChange(inbox, before, change, shown));
}
