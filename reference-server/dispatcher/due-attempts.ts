/** Due attempts and timeouts while an integrator's clock moves. */
import type { Dependencies, DueWork } from "../dependencies.ts";
import type { RemoteAttempt } from "../records/outbox.ts";
import { recordOutcome, tooLate } from "./outcome.ts";

/**
 * Timeouts come first, because a retry follows them. A timeout of another instance's attempt is written to
 * the database, so that the instance's later result is ignored.
 */
export const attemptTimeouts: DueWork = {
  async next(deps, integratorId) {
    const deadlines = deps.dispatcher.pendingAttempts(integratorId).map(({ deadline }) => deadline);
    const elsewhere = (await inFlightElsewhere(deps, integratorId)).map((attempt) =>
      deadlineOf(deps, attempt),
    );
    const all = [...deadlines, ...elsewhere];
    return all.length === 0 ? undefined : Math.min(...all);
  },

  async run(deps, integratorId, at) {
    const late = deps.dispatcher.pendingAttempts(integratorId).filter(({ deadline }) => deadline <= at);
    for (const attempt of late) attempt.timeOut();
    await Promise.all(late.map(({ ended }) => ended));
    for (const attempt of await inFlightElsewhere(deps, integratorId)) {
      if (deadlineOf(deps, attempt) <= at) await recordOutcome(deps, attempt, tooLate);
    }
  },
};

export const attemptsDue: DueWork = {
  next: (deps, integratorId) => deps.records.outbox.nextDueOf(deps.database, integratorId, deps.clock.now()),
  run: (deps, integratorId, at, waitMs) => deps.dispatcher.sendDue(integratorId, at, waitMs),
};

function inFlightElsewhere({ records, database, instances, clock }: Dependencies, integratorId: string) {
  return records.outbox.inFlightElsewhere(database, integratorId, instances.id, clock.now());
}

function deadlineOf(deps: Dependencies, { started_at }: RemoteAttempt): number {
  return started_at + deps.limits.webhooks.answerMs;
}
