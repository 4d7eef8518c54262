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
import { expectSigned } from "../../support/webhooks/webhook-signatures.ts";
import { type Check, check } from "../define.ts";

const largest = check({
  id: "envelope.largest-order",
  title:
    "delivery.created of an order with every field at its maximum, in Turkish letters, contains it completely, and is signed over all of it",
  clauses: [clause["EVENT-48"], clause["SIGN-2"]],
  needs: ["receiver"],
  mutants: [
    "event-has-at-most-100-items",
    "event-cuts-notes-at-255",
    "event-cuts-the-address-at-255",
    "event-rounds-quantities",
    "signature-over-the-first-8-kilobytes",
  ],
  async run({ api, attributeTo, note, order, subscribe }) {
    const { inbox, secret } = await subscribe({ event_types: ["delivery.created"] });
    const dataOf = async (id: string) => {
      const event = await inbox.waitForFirst(
        isAbout({ id }, "delivery.created"),
        `delivery.created of ${id}`,
      );
      inbox.markAsEvidence(event);
      attributeTo(clause["SIGN-2"]);
      expectSigned([event], secret);
      attributeTo(clause["EVENT-48"]);
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
