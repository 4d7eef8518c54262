import { expect } from "vitest";
import { clause } from "../../../../openapi/generated/clauses.ts";
import { poll } from "../../../core/clock.ts";
import type { FullContext } from "../../check.ts";
import { near } from "../../support/orders.ts";
import { expectQuote, quoteRequest } from "../../support/service-area.ts";
import { type Check, check } from "../define.ts";

/**
 * The count once it is what it should be, or what it still is in the end: credit may be taken and given back later than
 * the answer (OPEN-16).
 */
async function settled(
  { creditConsumed, settlesWithinMs }: Pick<FullContext, "creditConsumed" | "settlesWithinMs">,
  expected: number,
): Promise<number> {
  const asExpected = await poll(async () => ((await creditConsumed()) === expected ? expected : undefined), {
    within: settlesWithinMs,
    every: 250,
  });
  return asExpected ?? creditConsumed();
}

const cancelled = check({
  id: "credit.cancelled",
  title: "a delivery that was cancelled has consumed no credit in the end",
  clauses: [clause["CREDIT-1"]],
  needs: ["credit"],
  mutants: ["cancelled-delivery-costs-credit"],
  async run(context) {
    const { api, order, creditConsumed } = context;
    const body = await order();
    const before = await creditConsumed();
    const { id } = (await api.createDelivery(body)).body(201);
    (await api.cancelDelivery(id)).succeeded();
    expect(await settled(context, before), "credit consumed").toBe(before);
  },
});

const cancelledLater = check({
  id: "credit.cancelled-with-a-courier",
  title: "a delivery that was cancelled when it had its courier has consumed no credit in the end",
  clauses: [clause["CREDIT-1"]],
  needs: ["credit", "courier"],
  mutants: ["credit-stays-once-assigned"],
  async run(context) {
    const { api, order, moveCourierTo, creditConsumed } = context;
    const body = await order();
    const before = await creditConsumed();
    const { id } = (await api.createDelivery(body)).body(201);
    await moveCourierTo(id, "assigned");
    (await api.cancelDelivery(id)).succeeded();
    expect(await settled(context, before), "credit consumed").toBe(before);
  },
});

const quoted = check({
  id: "credit.quoted",
  title: "a quote consumes no credit, serviceable or not",
  clauses: [clause["CREDIT-2"]],
  needs: ["credit"],
  mutants: ["quote-costs-credit"],
  async run(context) {
    const { api, store, point, creditConsumed } = context;
    const from = await store();
    const before = await creditConsumed();
    for (const place of [near(point), { lat: 0, lng: 0 }]) {
      expectQuote(await api.createQuote(quoteRequest(from, place)));
    }
    expect(await settled(context, before), "credit consumed").toBe(before);
  },
});

const tried = check({
  id: "credit.test-delivery",
  title: "a test delivery consumes no credit",
  clauses: [clause["TESTD-6"]],
  needs: ["credit"],
  mutants: ["test-delivery-costs-credit"],
  async run(context) {
    const { api, order, creditConsumed } = context;
    const body = await order({ test: true });
    const before = await creditConsumed();
    (await api.createDelivery(body)).body(201);
    expect(await settled(context, before), "credit consumed").toBe(before);
  },
});

export const creditChecks: readonly Check[] = [cancelled, cancelledLater, quoted, tried];
