import { clause } from "../../../../openapi/generated/clauses.ts";
import { cases } from "../../../core/grading/expectations/each-element.ts";
import { expectThat } from "../../../core/grading/expectations/expect.ts";
import { type Check, check } from "../../check.ts";
import { newIdempotencyKey } from "../../session/http/api.ts";
import { expectOnlyDelivery } from "../../support/assertions.ts";
import { expectCourier } from "../../support/courier/courier.ts";
import { readDelivery } from "../../support/orders/deliveries.ts";

type Action = "assigned" | "picked_up" | "delivered";

const withACourier = check({
  id: "idempotency.repeat-with-a-courier",
  title:
    "while a courier has the delivery, or has delivered it, repeating its creation returns it, and before the delivery another order with its external_ref is refused",
  clauses: [clause["IDEM-17"], clause["NEW-60"]],
  needs: ["courier"],
  async run(context) {
    const { api, attributeTo, order } = context;
    const repeat = async (action: Action) => {
      const [key, body] = [newIdempotencyKey(), await order()];
      const first = (await api.createDelivery(body, { key })).body(201);
      await context.performCourierActionsUpTo(first.id, action);
      if (action !== "delivered") expectCourier(await readDelivery(api, first.id));
      attributeTo(clause["IDEM-17"]);
      const again = (await api.createDelivery(body, { key })).expectStatus(200).body(200);
      expectThat("the id in the response to the repeated request", again.id).is(first.id);
      return first;
    };
    await context.each(cases("courier actions", ["assigned", "picked_up"] as const), async (action) => {
      const first = await repeat(action);
      attributeTo(clause["NEW-60"]);
      const other = { body: await order({ external_ref: first.external_ref }) };
      const refused = await api.sendInvalid("createDelivery", "an external_ref that exists", other, {
        key: newIdempotencyKey(),
      });
      const { details } = refused.expectError(409, "EXTERNAL_REF_TEKRAR");
      expectThat("details", details).hasFields({ delivery_id: first.id });
      await expectOnlyDelivery(api, first);
    });
    // Whether the external_ref of a delivered delivery is free again is unspecified (OPEN-28).
    await context.each(cases("courier actions", ["delivered"] as const), async (action) => {
      await repeat(action);
    });
  },
});

export const idempotencyCourierChecks: readonly Check[] = [withACourier];
