import { DomainError, rejected } from "../../../../reference-server/errors.ts";
import { isoInstant } from "../../../core/clock.ts";
import type { Mutants } from "../mutant.ts";
import { withoutMembers } from "../operators/answers.ts";
import { alterChange, findDelivery, overwriteDelivery } from "../operators/deliveries.ts";
import { alterProperty } from "../operators/documents.ts";
import { onRefusal, replaceOperation } from "../operators/operations.ts";

export const scheduleChangesMutants: Mutants = {
  "schedule-is-fixed-from-the-start": {
    fault: "scheduled_for can't be changed at all",
    breaks: [{ clause: "PATCH-9" }, { clause: "LIMIT-28" }],
    caughtBy: ["schedule-changes.before-any-quote"],
    mutate: replaceOperation("updateDelivery", async (call, original) => {
      if (call.body.scheduled_for !== undefined) throw new DomainError("PLAN_DEGISEMEZ");
      return original(call);
    }),
  },
  "patched-schedule-is-lost": {
    fault: "a new scheduled_for is accepted, but not stored",
    breaks: [{ clause: "PATCH-9" }, { clause: "LIMIT-28" }],
    caughtBy: ["schedule-changes.before-any-quote"],
    mutate: alterChange((body) => (body.scheduled_for ? withoutMembers(body, "scheduled_for") : body)),
  },
  "notes-restore-the-first-schedule": {
    fault: "a change of the notes restores the scheduled_for that the delivery was created with",
    breaks: [{ clause: "PATCH-9" }, { clause: "LIMIT-28" }],
    caughtBy: ["schedule-changes.before-any-quote"],
    mutate: (deps) => {
      const schedules = new Map<string, string>();
      return alterChange((body, { id, scheduled_for }) => {
        if (scheduled_for !== null && !schedules.has(id)) schedules.set(id, isoInstant(scheduled_for));
        const first = schedules.get(id);
        return body.notes === undefined || first === undefined ? body : { ...body, scheduled_for: first };
      })(deps);
    },
  },
  "changed-schedule-beyond-7-days-accepted": {
    fault: "a change may set scheduled_for more than 7 days ahead",
    breaks: [{ clause: "NEW-39" }],
    caughtBy: ["schedule-changes.before-any-quote"],
    mutate: alterProperty("DeliveryChange", "scheduled_for", { "x-max-ahead": "P60D" }),
  },
  "changed-schedule-within-14-days-accepted": {
    fault: "a change may set scheduled_for up to 14 days ahead",
    breaks: [{ clause: "NEW-39" }],
    caughtBy: ["schedule-changes.before-any-quote"],
    mutate: alterProperty("DeliveryChange", "scheduled_for", { "x-max-ahead": "P14D" }),
  },
  "changed-schedule-beyond-3-days-refused": {
    fault: "a change may set scheduled_for only up to 3 days ahead",
    breaks: [{ clause: "PATCH-9" }, { clause: "LIMIT-28" }],
    caughtBy: ["schedule-changes.before-any-quote"],
    mutate: alterProperty("DeliveryChange", "scheduled_for", { "x-max-ahead": "P3D" }),
  },
  "changed-schedule-without-zone-accepted": {
    fault: "a change accepts a scheduled_for without a time zone",
    breaks: [{ clause: "PATCH-9" }],
    mutate: alterProperty("DeliveryChange", "scheduled_for", {
      $ref: undefined,
      anyOf: undefined,
      type: ["string", "null"],
    }),
  },
  "schedule-not-cleared-by-null": {
    fault: "scheduled_for can't be cleared by null",
    breaks: [{ clause: "PATCH-10" }],
    mutate: alterChange((body) =>
      body.scheduled_for === null ? withoutMembers(body, "scheduled_for") : body,
    ),
  },
  "schedule-of-queued-is-refused-as-invalid": {
    fault: "changing scheduled_for of a queued delivery returns DOGRULAMA",
    breaks: [{ clause: "PATCH-11" }],
    mutate: replaceOperation("updateDelivery", async (call, original) => {
      const queued = (await findDelivery(call))?.status === "QUEUED";
      if (queued && call.body.scheduled_for) throw rejected("scheduled_for", "artık değişemez");
      return original(call);
    }),
  },
  "schedule-refused-but-stored": {
    fault: "a new scheduled_for is refused with PLAN_DEGISEMEZ, but stored",
    breaks: [{ clause: "PATCH-11" }],
    mutate: replaceOperation("updateDelivery", async (call, original) => {
      const reply = await original(call);
      if (call.body.scheduled_for) throw new DomainError("PLAN_DEGISEMEZ");
      return reply;
    }),
  },
  "schedule-changes-after-an-offer": {
    fault: "scheduled_for can be changed after an offer",
    breaks: [{ clause: "STATE-34" }, { clause: "ERR-22" }],
    mutate: (deps) => ({
      ...deps,
      revise: (before, change, stamp, kind) =>
        deps.revise(before, { ...change, offered_at: null }, stamp, kind),
    }),
  },
  "schedule-refused-as-final": {
    fault: "changing scheduled_for after an offer returns SON_DURUM",
    breaks: [{ clause: "STATE-34" }, { clause: "ERR-22" }],
    mutate: replaceOperation("updateDelivery", (call, original) =>
      onRefusal("PLAN_DEGISEMEZ", original(call), async () => {
        throw new DomainError("SON_DURUM");
      }),
    ),
  },
  "schedule-changes-after-an-assignment": {
    fault: "scheduled_for can be changed again once a courier is assigned",
    breaks: [{ clause: "STATE-34" }, { clause: "ERR-22" }],
    mutate: replaceOperation("updateDelivery", (call, original) =>
      onRefusal("PLAN_DEGISEMEZ", original(call), async (refusal) => {
        if ((await findDelivery(call))?.status !== "ASSIGNED") throw refusal;
        await overwriteDelivery(call, call.path.id, { scheduled_for: call.now });
        return { status: 204 };
      }),
    ),
  },
  "schedule-is-removed-after-an-offer": {
    fault: "scheduled_for can be removed after an offer",
    breaks: [{ clause: "STATE-34" }, { clause: "ERR-22" }],
    mutate: replaceOperation("updateDelivery", (call, original) =>
      onRefusal("PLAN_DEGISEMEZ", original(call), async (refusal) => {
        if (call.body.scheduled_for !== null) throw refusal;
        await overwriteDelivery(call, call.path.id, { scheduled_for: null });
        return { status: 204 };
      }),
    ),
  },
  "offered-schedule-refused-but-stored": {
    fault: "changing scheduled_for after an offer is refused with PLAN_DEGISEMEZ, but stored",
    breaks: [{ clause: "STATE-35" }],
    mutate: replaceOperation("updateDelivery", (call, original) =>
      onRefusal("PLAN_DEGISEMEZ", original(call), async (refusal) => {
        await overwriteDelivery(call, call.path.id, { scheduled_for: call.now });
        throw refusal;
      }),
    ),
  },
};
