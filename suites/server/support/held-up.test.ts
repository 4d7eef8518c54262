import { expect, test } from "vitest";
import { pause } from "../../core/clock.ts";
import { retriesChecks } from "../checks/webhooks/retries.ts";
import type { Mutant } from "../mutants/mutant.ts";
import { runMutant } from "../mutants/run-mutant.ts";
import type { Attempt } from "../session/webhook-receiver/attempt.ts";
import { WebhookFailure } from "../session/webhook-receiver/webhook-failure.ts";
import { PerhapsHeldUp, unlessHeldUp } from "./retry-schedule.ts";

/** Longer than an advance of the clock waits for an answer (the control interface's 3 seconds). */
const HELD_UP_MS = 3_400;

/** A right server whose machine stands still, once, just when an attempt was answered: it counts as silent. */
const heldUpOnce: Mutant = {
  fault: "none",
  mutate(parts) {
    let isOver = false;
    return {
      ...parts,
      transport: {
        ...parts.transport,
        async post(all, outgoing, signal) {
          const isHeldUp = !isOver && String(outgoing.body).includes('"delivery.created"');
          isOver ||= isHeldUp;
          const answer = await parts.transport.post(all, outgoing, signal);
          if (isHeldUp) await pause(HELD_UP_MS);
          return answer;
        },
      },
    };
  },
};

const schedule = retriesChecks.filter(({ id }) => id === "retries.schedule");

test("the schedule of a right server whose first attempt is held up is looked at anew", async () => {
  const outcome = (await runMutant(heldUpOnce, schedule)).get("retries.schedule");
  expect(outcome).toMatchObject({ status: "passed" });
});

const NEVER_SENT: readonly Attempt[] = [];

test("what goes on so is a finding, and what can't be due to that is one at once", async () => {
  for (const [failure, tries] of [
    [new PerhapsHeldUp("twice", { attempts: NEVER_SENT }), 3],
    [new WebhookFailure("thrice", { attempts: NEVER_SENT }), 1],
  ] as const) {
    let tried = 0;
    const run = async () => {
      tried += 1;
      throw failure;
    };
    await expect(unlessHeldUp(run)).rejects.toBe(failure);
    expect(tried).toBe(tries);
  }
});
