import { clause } from "../../../../openapi/generated/clauses.ts";
import { casesFrom } from "../../../core/grading/expectations/each-element.ts";
import { CheckFailure } from "../../../core/grading/failures/failure.ts";
import { type Check, check } from "../../check.ts";
import { expectFields } from "../../support/assertions.ts";
import { findOnceListed } from "../../support/lists/delivery-list.ts";
import { largestOrder, shownOfLargest } from "../../support/orders/largest-order.ts";

const largest = check({
  id: "creation.largest-order",
  title:
    "an order with every field at its maximum, in Turkish letters, is accepted, and the response, GET and the list return it completely",
  clauses: [clause["NEW-56"]],
  async run({ api, each, order }) {
    const body = largestOrder(await order());
    const created = (await api.createDelivery(body)).body(201);
    const shown = {
      "the response to the creation": async () => created,
      "GET /v1/deliveries/{id}": async () => (await api.getDelivery(created.id)).body(200),
      "GET /v1/deliveries": async () => {
        const items = await findOnceListed(api, body.external_ref, created.id);
        const item = items.find(({ id }) => id === created.id);
        if (item) return item;
        throw new CheckFailure({
          subject: "the ids in the list",
          relation: "to include",
          expected: created.id,
          actual: items.map(({ id }) => id),
        });
      },
    };
    await each(casesFrom("responses that contain it", shown), async ([, read]) =>
      expectFields(await read(), shownOfLargest(body), "delivery"),
    );
  },
});

export const largestOrderChecks: readonly Check[] = [largest];
