import { DomainError, rejected } from "../../reference-server/errors.ts";
import { changing, found } from "./delivery-faults.ts";
import { instead, without } from "./instead.ts";
import type { Mutant } from "./mutant.ts";

/** Schedules that can't be changed, or that are changed wrongly. */
export const scheduleChangesMutants = {
  "schedule-is-fixed-from-the-start": {
    fault: "the schedule can't be changed at all",
    mutate: instead("updateDelivery", async (call, original) => {
      if (call.body.scheduled_for !== undefined) throw new DomainError("PLAN_DEGISEMEZ");
      return original(call);
    }),
  },
  "patched-schedule-is-lost": {
    fault: "a new schedule is taken and forgotten",
    mutate: changing((body) => (body.scheduled_for ? without(body, "scheduled_for") : body)),
  },
  "null-schedule-stays": {
    fault: "null leaves the schedule as it is",
    mutate: changing((body) => (body.scheduled_for === null ? without(body, "scheduled_for") : body)),
  },
  "schedule-of-queued-is-refused-as-invalid": {
    fault: "the schedule of a queued delivery is refused with DOGRULAMA",
    mutate: instead("updateDelivery", async (call, original) => {
      const queued = (await found(call))?.status === "QUEUED";
      if (queued && call.body.scheduled_for) throw rejected("scheduled_for", "artık değişemez");
      return original(call);
    }),
  },
  "schedule-refused-and-written": {
    fault: "a new schedule is written before it is refused with PLAN_DEGISEMEZ",
    mutate: instead("updateDelivery", async (call, original) => {
      const answered = await original(call);
      if (call.body.scheduled_for) throw new DomainError("PLAN_DEGISEMEZ");
      return answered;
    }),
  },
} satisfies Record<string, Mutant>;
