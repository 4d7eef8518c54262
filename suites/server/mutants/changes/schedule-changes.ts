import { DomainError, rejected } from "../../../../reference-server/errors.ts";
import type { Mutant } from "../mutant.ts";
import { withoutMembers } from "../operators/answers.ts";
import { alterChange, findDelivery, overwriteDelivery } from "../operators/deliveries.ts";
import { alterProperty } from "../operators/documents.ts";
import { onRefusal, replaceOperation } from "../operators/operations.ts";

export const scheduleChangesMutants = {
  "schedule-is-fixed-from-the-start": {
    fault: "the schedule can't be changed at all",
    breaks: [{ clause: "PATCH-9" }, { clause: "LIMIT-28" }],
    mutate: replaceOperation("updateDelivery", async (call, original) => {
      if (call.body.scheduled_for !== undefined) throw new DomainError("PLAN_DEGISEMEZ");
      return original(call);
    }),
  },
  "patched-schedule-is-lost": {
    fault: "a new schedule is taken and forgotten",
    breaks: [{ clause: "PATCH-9" }, { clause: "LIMIT-28" }],
    mutate: alterChange((body) => (body.scheduled_for ? withoutMembers(body, "scheduled_for") : body)),
  },
  "changed-schedule-beyond-7-days-accepted": {
    fault: "scheduled_for may be a month ahead in a change",
    breaks: [{ clause: "LIMIT-28" }],
    mutate: alterProperty("DeliveryChange", "scheduled_for", { "x-max-ahead": "P60D" }),
  },
  "changed-schedule-without-zone-accepted": {
    fault: "scheduled_for of a change may lack its zone",
    breaks: [{ clause: "PATCH-9" }],
    mutate: alterProperty("DeliveryChange", "scheduled_for", {
      $ref: undefined,
      anyOf: undefined,
      type: ["string", "null"],
    }),
  },
  "schedule-not-cleared-by-null": {
    fault: "null leaves the schedule as it is",
    breaks: [{ clause: "PATCH-10" }],
    mutate: alterChange((body) =>
      body.scheduled_for === null ? withoutMembers(body, "scheduled_for") : body,
    ),
  },
  "schedule-of-queued-is-refused-as-invalid": {
    fault: "the schedule of a queued delivery is refused with DOGRULAMA",
    breaks: [{ clause: "PATCH-11" }],
    mutate: replaceOperation("updateDelivery", async (call, original) => {
      const queued = (await findDelivery(call))?.status === "QUEUED";
      if (queued && call.body.scheduled_for) throw rejected("scheduled_for", "artık değişemez");
      return original(call);
    }),
  },
  "schedule-refused-but-stored": {
    fault: "a new schedule is written before it is refused with PLAN_DEGISEMEZ",
    breaks: [{ clause: "PATCH-11" }],
    mutate: replaceOperation("updateDelivery", async (call, original) => {
      const answered = await original(call);
      if (call.body.scheduled_for) throw new DomainError("PLAN_DEGISEMEZ");
      return answered;
    }),
  },
  "schedule-changes-after-an-offer": {
    fault: "an offered delivery's schedule can still be changed",
    breaks: [{ clause: "STATE-34" }, { clause: "ERR-22" }],
    mutate: (deps) => ({
      ...deps,
      revise: (before, change, stamp, kind) =>
        deps.revise(before, { ...change, offered_at: null }, stamp, kind),
    }),
  },
  "schedule-refused-as-final": {
    fault: "a change of the schedule after an offer is refused with SON_DURUM",
    breaks: [{ clause: "STATE-34" }, { clause: "ERR-22" }],
    mutate: replaceOperation("updateDelivery", (call, original) =>
      onRefusal("PLAN_DEGISEMEZ", original(call), async () => {
        throw new DomainError("SON_DURUM");
      }),
    ),
  },
  "offered-schedule-refused-but-stored": {
    fault: "a change of the schedule that is refused with PLAN_DEGISEMEZ is written nevertheless",
    breaks: [{ clause: "STATE-35" }],
    mutate: replaceOperation("updateDelivery", (call, original) =>
      onRefusal("PLAN_DEGISEMEZ", original(call), async (refusal) => {
        await overwriteDelivery(call, call.path.id, { scheduled_for: call.now });
        throw refusal;
      }),
    ),
  },
} satisfies Record<string, Mutant>;
