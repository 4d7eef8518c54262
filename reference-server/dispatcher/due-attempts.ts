/** Due attempts and timeouts while an integrator's clock moves. */
import type { DueWork, Parts } from "../parts.ts";
import type { RemoteAttempt } from "../records/outbox.ts";
import { recordOutcome, tooLate } from "./outcome.ts";

/**
 * Timeouts come first, because a retry follows them. A timeout of another instance's attempt is written to
 * the database, so that the instance's later result is ignored.
 */
export const attemptTimeouts: DueWork = {
  async next(parts, integratorId) {
    const deadlines = parts.dispatcher.pendingAttempts(integratorId).map(({ deadline }) => deadline);
    const elsewhere = (await inFlightElsewhere(parts, integratorId)).map((attempt) =>
      deadlineOf(parts, attempt),
    );
    const all = [...deadlines, ...elsewhere];
    return all.length === 0 ? undefined : Math.min(...all);
  },

  async run(parts, integratorId, at) {
    const late = parts.dispatcher.pendingAttempts(integratorId).filter(({ deadline }) => deadline <= at);
    for (const attempt of late) attempt.timeOut();
    await Promise.all(late.map(({ ended }) => ended));
    for (const attempt of await inFlightElsewhere(parts, integratorId)) {
      if (deadlineOf(parts, attempt) <= at) await recordOutcome(parts, attempt, tooLate);
    }
  },
};

export const attemptsDue: DueWork = {
  next: (parts, integratorId) =>
    parts.records.outbox.nextDueOf(parts.database, integratorId, parts.clock.now()),
  run: (parts, integratorId, at, waitMs) => parts.dispatcher.sendDue(parts, integratorId, at, waitMs),
};

function inFlightElsewhere({ records, database, instances, clock }: Parts, integratorId: string) {
  return records.outbox.inFlightElsewhere(database, integratorId, instances.id, clock.now());
}

function deadlineOf(parts: Parts, { started_at }: RemoteAttempt): number {
  return started_at + parts.limits.webhooks.answerMs;
}
