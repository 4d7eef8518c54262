import { expect } from "vitest";
import { clause } from "../../../../openapi/generated/clauses.ts";
import { isoInstant, poll } from "../../../core/clock.ts";
import { rowsOf } from "../../../core/grading/each-element.ts";
import { NotTestable } from "../../../core/grading/failure.ts";
import type { ContextFor } from "../../check.ts";
import { openDelivery, openUnlocatedDelivery } from "../../support/deliveries.ts";
import { near } from "../../support/orders.ts";
import { expectQuote, quoteRequest } from "../../support/service-area.ts";
import { type Check, check } from "../define.ts";

type Consuming = ContextFor<"credit" | "courier">;

const LOOK_MS = 250;
const DAY_MS = 86_400_000;

/** So many orders are delivered: what one consumes may be given back for another in the same moment. */
const MOST_TWINS = 3;

/**
 * What the count is at most, after a delivered order has raised it: one that never rises says nothing.
 * @throws NotTestable where delivered orders consume none
 */
async function afterDelivery(context: Consuming): Promise<number> {
  const { creditConsumed, moveCourierTo, settlesWithinMs } = context;
  let least = await creditConsumed();
  const look = async () => {
    const consumed = await creditConsumed();
    least = Math.min(least, consumed);
    return consumed > least ? consumed : undefined;
  };
  for (let twins = 0; twins < MOST_TWINS; twins += 1) {
    const twin = await openDelivery(context);
    await moveCourierTo(twin.id, "delivered");
    const risen = await poll(look, { within: settlesWithinMs / MOST_TWINS, every: LOOK_MS });
    // Those before it that weren't seen to be counted may be, later.
    if (risen !== undefined) return risen + twins;
  }
  throw new NotTestable("a delivered order consumes no credit here: what consumes none can't be told");
}

/**
 * Asserts that something has consumed no credit in the end, beside a delivered order that has. The count may fall
 * meanwhile, by what earlier orders of the integrator's are given back.
 */
async function expectNoCredit(context: Consuming, work: () => Promise<void>): Promise<void> {
  const { creditConsumed, settlesWithinMs } = context;
  const most = await afterDelivery(context);
  await work();
  // Credit may be taken and given back later than the answer (OPEN-16).
  const after = await poll(
    async () => {
      const consumed = await creditConsumed();
      return consumed <= most ? consumed : undefined;
    },
    { within: settlesWithinMs, every: LOOK_MS },
  );
  const consumed = after ?? (await creditConsumed());
  expect(consumed, "credit consumed in the end, as against before").toBeLessThanOrEqual(most);
}

const cancelled = check({
  id: "credit.cancelled",
  title: "a delivery that was cancelled has consumed no credit in the end, with coordinates or without",
  clauses: [clause["CREDIT-1"]],
  needs: ["credit", "courier"],
  mutants: ["cancelled-delivery-costs-credit", "credit-stays-without-coordinates"],
  async run(context) {
    const openings = { "with coordinates": openDelivery, "without coordinates": openUnlocatedDelivery };
    await context.each(rowsOf("deliveries", openings), async ([, open]) => {
      await expectNoCredit(context, async () => {
        const { id } = await open(context);
        (await context.api.cancelDelivery(id)).succeeded();
      });
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
  title: "a quote consumes no credit, serviceable or not, for now or for later",
  clauses: [clause["CREDIT-2"]],
  needs: ["credit", "courier"],
  mutants: ["quote-costs-credit", "scheduled-quote-costs-credit"],
  async run(context) {
    const { api, now, store, point } = context;
    const served = quoteRequest(await store(), near(point));
    await expectNoCredit(context, async () => {
      const scheduled_for = isoInstant(now() + DAY_MS);
      for (const request of [
        served,
        { ...served, dropoff: { lat: 0, lng: 0 } },
        { ...served, scheduled_for },
      ]) {
        expectQuote(await api.createQuote(request));
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
