/** The dispatcher's part in moving an integrator's clock: attempts that fall due, and attempts whose time is up. */
import type { DueWork } from "../domain/advance.ts";

/** First, since an attempt that is given up at some time may be tried again no earlier. */
export const attemptTimeouts: DueWork = {
  async next(parts, integratorId) {
    const deadlines = parts.dispatcher.flightsOf(integratorId).map(({ deadline }) => deadline);
    return deadlines.length === 0 ? undefined : Math.min(...deadlines);
  },

  async run(parts, integratorId, at) {
    const over = parts.dispatcher.flightsOf(integratorId).filter(({ deadline }) => deadline <= at);
    for (const flight of over) flight.timeOut();
    await Promise.all(over.map(({ ended }) => ended));
  },
};

export const attemptsDue: DueWork = {
  next: (parts, integratorId) =>
    parts.records.outbox.nextDueOf(parts.database, integratorId, parts.clock.now()),
  run: (parts, integratorId, at) => parts.dispatcher.sendDue(parts, integratorId, at),
};
