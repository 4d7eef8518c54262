import { clause } from "../../../../openapi/generated/clauses.ts";
import { deliveryOf } from "../../session/webhook-receiver/attempt.ts";
import { expectFields } from "../../support/assertions.ts";
import { largestOrder, shownOfLargest } from "../../support/orders/largest-order.ts";
import { isAbout } from "../../support/webhooks/delivery-events.ts";
import { type Check, check } from "../define.ts";

const largest = check({
  id: "envelope.largest-order",
  title:
    "delivery.created of an order with every field at its maximum, in Turkish letters, contains it completely",
  clauses: [clause["EVENT-48"]],
  needs: ["receiver"],
  mutants: ["event-has-at-most-100-items", "event-cuts-notes-at-255", "event-rounds-quantities"],
  async run({ api, order, subscribe }) {
    const { inbox } = await subscribe({ event_types: ["delivery.created"] });
    const body = largestOrder(await order());
    const { id } = (await api.createDelivery(body)).body(201);
    const event = await inbox.waitForFirst(isAbout({ id }, "delivery.created"), `delivery.created of ${id}`);
    inbox.markAsEvidence(event);
    expectFields(deliveryOf(event), shownOfLargest(body), "data");
  },
});

export const envelopeLargestChecks: readonly Check[] = [largest];
