import { clause } from "../../../../openapi/generated/clauses.ts";
import { textOf } from "../../../core/json.ts";
import { deliveryOf } from "../../session/webhook-receiver/attempt.ts";
import { expectFields } from "../../support/assertions.ts";
import {
  expectAddress,
  largestOrder,
  shownOfLargest,
  withLongTexts,
} from "../../support/orders/largest-order.ts";
import { isAbout } from "../../support/webhooks/delivery-events.ts";
import { type Check, check } from "../define.ts";

const largest = check({
  id: "envelope.largest-order",
  title:
    "delivery.created of an order with every field at its maximum, in Turkish letters, contains it completely",
  clauses: [clause["EVENT-48"]],
  needs: ["receiver"],
  mutants: [
    "event-has-at-most-100-items",
    "event-cuts-notes-at-255",
    "event-cuts-the-address-at-255",
    "event-rounds-quantities",
  ],
  async run({ api, note, order, subscribe }) {
    const { inbox } = await subscribe({ event_types: ["delivery.created"] });
    const dataOf = async (id: string) => {
      const event = await inbox.waitForFirst(
        isAbout({ id }, "delivery.created"),
        `delivery.created of ${id}`,
      );
      inbox.markAsEvidence(event);
      return deliveryOf(event);
    };
    const body = largestOrder(await order());
    expectFields(await dataOf((await api.createDelivery(body)).body(201).id), shownOfLargest(body), "data");
    const plain = await order();
    const dropoff = withLongTexts(plain.dropoff);
    const response = await api.createDelivery({ ...plain, dropoff });
    if (response.status === 400 || response.status === 422) {
      note("an address of 300 letters: refused, so not tested (OPEN-127)");
      return;
    }
    const shown = await dataOf(response.body(201).id);
    expectAddress(textOf(Object(shown?.dropoff).text), dropoff);
  },
});

export const envelopeLargestChecks: readonly Check[] = [largest];
