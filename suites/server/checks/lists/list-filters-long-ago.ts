import { clause } from "../../../../openapi/generated/clauses.ts";
import { casesFrom } from "../../../core/grading/expectations/each-element.ts";
import { expectThat } from "../../../core/grading/expectations/expect.ts";
import { type Check, check } from "../../check.ts";
import { expectFields } from "../../support/assertions.ts";
import {
  FILTER_MARGIN_MS,
  idsOf,
  listDeliveries,
  shiftInstant,
  sinceCreationOf,
} from "../../support/lists/delivery-list.ts";
import {
  cancelDelivery,
  createDelivery,
  expectTimePassed,
  readDelivery,
} from "../../support/orders/deliveries.ts";

const FORTY_DAYS_S = 40 * 24 * 3600;

const longAgo = check({
  id: "list-filters.reference-of-long-ago",
  title:
    "a delivery created 40 days ago is found by its order number and its creation time, and read by its id",
  clauses: [clause["LIST-19"], clause["LIST-33"], clause["DLV-92"]],
  needs: ["clock"],
  virtualSeconds: FORTY_DAYS_S,
  async run(context) {
    const { api, advanceClock, store } = context;
    const { external_store_id } = await store();
    const delivery = await cancelDelivery(api, (await createDelivery(context)).id);
    const { id, external_ref } = delivery;
    await advanceClock(FORTY_DAYS_S);
    await expectTimePassed(context, delivery, FORTY_DAYS_S);
    const queries = {
      "by its order number": { external_ref },
      "by its order number and its store": { external_ref, external_store_id },
    };
    context.attributeTo(clause["LIST-19"]);
    await context.each(casesFrom("filters", queries), async ([, query]) => {
      const found = await listDeliveries(api, query);
      expectThat(`the deliveries with ${JSON.stringify(query)}`, idsOf(found)).is([id]);
    });
    context.attributeTo(clause["LIST-33"]);
    const window = sinceCreationOf(delivery, external_store_id);
    const created_to = shiftInstant(delivery.created_at, FILTER_MARGIN_MS);
    const created = await listDeliveries(api, { ...window, created_to });
    expectThat(`the deliveries created until ${created_to}`, idsOf(created)).includes(id);
    context.attributeTo(clause["DLV-92"]);
    // Personal data may be gone by then: the specification doesn't say how long it is kept.
    const after = await readDelivery(api, id);
    expectFields(after, { external_ref, created_at: delivery.created_at }, "the delivery after 40 days");
  },
});

export const longAgoChecks: readonly Check[] = [longAgo];
