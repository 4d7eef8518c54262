import { clause } from "../../../../openapi/generated/clauses.ts";
import { isoInstant } from "../../../core/clock.ts";
import { openDelivery } from "../../support/deliveries.ts";
import { isAbout } from "../../support/delivery-events.ts";
import { type Check, check } from "../define.ts";

/** Far enough ahead for a search that starts later, and near enough for a token's lifetime to be renewed once. */
const AHEAD_S = 2 * 3600;

const soughtInTime = check({
  id: "scheduled.sought-in-time",
  title: "a scheduled delivery's courier is sought before its time comes",
  clauses: [clause["NEW-41"]],
  needs: ["receiver", "clock"],
  waits: AHEAD_S,
  mutants: ["scheduled-search-never-starts", "scheduled-search-starts-late"],
  async run(context) {
    const { inbox } = await context.subscribe();
    const scheduled_for = isoInstant(context.now() + AHEAD_S * 1000);
    const { id } = await openDelivery(context, { scheduled_for });
    await context.advanceClock(AHEAD_S);
    // Sought at once is as good as sought in time (OPEN-22, OPEN-201).
    await inbox.waitForFirst(
      isAbout({ id }, "delivery.queued"),
      `delivery.queued of a delivery scheduled for ${scheduled_for}`,
    );
  },
});

export const scheduledChecks: readonly Check[] = [soughtInTime];
