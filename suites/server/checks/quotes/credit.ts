import { expect } from "vitest";
import { clause } from "../../../../openapi/generated/clauses.ts";
import { poll } from "../../../core/clock.ts";
import { NotTestable } from "../../../core/grading/failure.ts";
import type { ContextFor, FullContext } from "../../check.ts";
import { openDelivery } from "../../support/deliveries.ts";
import { near } from "../../support/orders.ts";
import { expectQuote, quoteRequest } from "../../support/service-area.ts";
import { type Check, check } from "../define.ts";

type Consuming = ContextFor<"credit" | "courier">;

/** What is seen of the count, which may change later than the answer to what changes it (OPEN-16). */
const seen = <T>(
  { settlesWithinMs }: Pick<FullContext, "settlesWithinMs">,
  look: () => Promise<T | undefined>,
) => poll(look, { within: settlesWithinMs, every: 250 });

/**
 * Asserts that something has consumed no credit in the end, beside a delivered order that has: a count that never rises
 * says nothing. It may fall meanwhile, by what earlier orders of the integrator's are given back.
 * @throws NotTestable where the delivered order consumes none either
 */
async function expectNoCredit(context: Consuming, work: () => Promise<void>): Promise<void> {
  const { creditConsumed, moveCourierTo } = context;
  let least = await creditConsumed();
  const twin = await openDelivery(context);
  await moveCourierTo(twin.id, "delivered");
  const before = await seen(context, async () => {
    const consumed = await creditConsumed();
    least = Math.min(least, consumed);
    return consumed > least ? consumed : undefined;
  });
  if (before === undefined)
    throw new NotTestable("a delivered order consumes no credit here: what consumes none can't be told");
  await work();
  const after = await seen(context, async () => {
    const consumed = await creditConsumed();
    return consumed <= before ? consumed : undefined;
  });
  expect(after ?? (await creditConsumed()), "credit consumed").toBeLessThanOrEqual(before);
}

const cancelled = check({
  id: "credit.cancelled",
  title: "a delivery that was cancelled has consumed no credit in the end",
  clauses: [clause["CREDIT-1"]],
  needs: ["credit", "courier"],
  mutants: ["cancelled-delivery-costs-credit"],
  async run(context) {
    await expectNoCredit(context, async () => {
      const { id } = await openDelivery(context);
      (await context.api.cancelDelivery(id)).succeeded();
    });
  },
});

const cancelledLater = check({
  id: "credit.cancelled-with-a-courier",
  title: "a delivery that was cancelled when it had its courier has consumed no credit in the end",
  clauses: [clause["CREDIT-1"]],
  needs: ["credit", "courier"],
  mutants: ["credit-stays-once-assigned"],
  async run(context) {
    await expectNoCredit(context, async () => {
      const { id } = await openDelivery(context);
      await context.moveCourierTo(id, "assigned");
      (await context.api.cancelDelivery(id)).succeeded();
    });
  },
});

const quoted = check({
  id: "credit.quoted",
  title: "a quote consumes no credit, serviceable or not",
  clauses: [clause["CREDIT-2"]],
  needs: ["credit", "courier"],
  mutants: ["quote-costs-credit"],
  async run(context) {
    const { api, store, point } = context;
    const from = await store();
    await expectNoCredit(context, async () => {
      for (const place of [near(point), { lat: 0, lng: 0 }]) {
        expectQuote(await api.createQuote(quoteRequest(from, place)));
      }
    });
  },
});

const tried = check({
  id: "credit.test-delivery",
  title: "a test delivery consumes no credit",
  clauses: [clause["TESTD-6"]],
  needs: ["credit", "courier"],
  mutants: ["test-delivery-costs-credit"],
  async run(context) {
    await expectNoCredit(context, async () => {
      await openDelivery(context, { test: true });
    });
  },
});

export const creditChecks: readonly Check[] = [cancelled, cancelledLater, quoted, tried];
