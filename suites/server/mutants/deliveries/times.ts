import { DomainError, rejected } from "../../../../reference-server/errors.ts";
import { isoInstant } from "../../../core/clock.ts";
import { breaking } from "../../../core/mutation/breaks.ts";
import type { Mutants, Mutate } from "../mutant.ts";
import { compose } from "../operators/compose.ts";
import { alterChange } from "../operators/deliveries.ts";
import { alterListParameter, alterProperty } from "../operators/documents.ts";
import { alterCreation, alterOrder, replaceOperation } from "../operators/operations.ts";

const ZONE = /(Z|[+-]\d\d:\d\d)$/;
const twoDigits = (value: number) => String(value).padStart(2, "0");
const anyText = { $ref: undefined, type: ["string", "null"] };

const DAY_MS = 86_400_000;

/** A local time read as UTC. */
const asUtc = (time: string) => time.replace(ZONE, "Z");

const hasNoZone = (time: string | null | undefined) => typeof time === "string" && !ZONE.test(time);

const alterReadyAt = (read: (time: string) => string): Mutate =>
  alterOrder(({ ready_at }) => (ready_at === undefined ? {} : { ready_at: read(ready_at) }));

export const timeMutants: Mutants = {
  "offset-is-dropped": {
    fault: "a time's UTC offset is ignored",
    breaks: breaking(
      ["+01:00", "+03:00", "+05:30", "+05:45", "+09:00", "+14:00", "-03:30", "-05:00", "-09:30", "-12:00"],
      "GEN-8",
    ),
    mutate: alterReadyAt(asUtc),
  },
  "offset-keeps-the-date": {
    fault: "ready_at of an order, shortly after midnight in +03:00, is converted to UTC without its date",
    breaks: [{ clause: "GEN-8", case: "half past midnight in +03:00" }],
    mutate: alterOrder(({ ready_at }) =>
      ready_at && /T0[0-2]:.*\+03:00$/.test(ready_at)
        ? { ready_at: isoInstant(Date.parse(ready_at) + DAY_MS) }
        : {},
    ),
  },
  "z-is-local-time": {
    fault: "a time in UTC is read as Turkish time",
    breaks: [{ clause: "GEN-9" }],
    mutate: alterReadyAt((time) => time.replace(/Z$/, "+03:00")),
  },
  "offset-of-zero-is-refused": {
    fault: "a ready_at with the offset +00:00 is refused",
    breaks: breaking("+00:00", "GEN-8"),
    mutate: alterOrder(({ ready_at }) => {
      if (ready_at?.endsWith("+00:00")) throw rejected("ready_at", "saat dilimi geçersiz");
      return {};
    }),
  },
  "offset-minutes-dropped": {
    fault: "the minutes of a UTC offset are ignored",
    breaks: breaking(["-09:30", "-03:30", "+05:30", "+05:45"], "GEN-8"),
    mutate: alterReadyAt((time) => time.replace(/([+-]\d\d):\d\d$/, "$1:00")),
  },
  "offset-sign-ignored-for-minutes": {
    fault: "the sign of a UTC offset doesn't apply to its minutes",
    breaks: [
      { clause: "GEN-8", case: "-09:30" },
      { clause: "GEN-8", case: "-03:30" },
    ],
    mutate: alterReadyAt((time) =>
      time.replace(/-(\d\d):([1-5]\d)$/, (_, hours, minutes) => {
        const behind = Number(hours) * 60 - Number(minutes);
        return `-${twoDigits(Math.floor(behind / 60))}:${twoDigits(behind % 60)}`;
      }),
    ),
  },
  "offset-of-a-change-is-dropped": {
    fault: "the UTC offset of a time in a change is ignored",
    breaks: breaking(
      ["a PATCH to half past midnight in +03:00", "a PATCH to half past eleven at night in -05:00"],
      "GEN-8",
    ),
    mutate: alterChange((body) => ({ ...body, ...(body.ready_at && { ready_at: asUtc(body.ready_at) }) })),
  },
  "offset-of-a-change-keeps-the-date": {
    fault: "ready_at of a change, shortly before midnight in -05:00, is converted to UTC without its date",
    breaks: [{ clause: "GEN-8", case: "a PATCH to half past eleven at night in -05:00" }],
    mutate: alterChange((body) =>
      /T(19|2\d):.*-05:00$/.test(body.ready_at ?? "")
        ? { ...body, ready_at: isoInstant(Date.parse(body.ready_at ?? "") - DAY_MS) }
        : body,
    ),
  },
  "7-day-limit-ignores-offset": {
    fault: "the limit of 7 days ignores the UTC offset of scheduled_for",
    breaks: [{ clause: "GEN-8", case: "scheduled almost 7 days ahead in +14:00" }],
    mutate: alterCreation(async (call, create) => {
      const written = Date.parse(asUtc(call.body.scheduled_for ?? ""));
      if (written > call.now + 7 * DAY_MS) throw rejected("scheduled_for", "en çok 7 gün sonra");
      return create(call);
    }),
  },
  "order-time-without-zone-accepted": {
    fault: "an order accepts a time without a zone",
    breaks: [{ clause: "GEN-10" }],
    caughtBy: ["times.without-zone-in-body"],
    mutate: compose(
      alterProperty("NewDelivery", "ready_at", anyText),
      alterProperty("NewDelivery", "scheduled_for", anyText),
    ),
  },
  "change-time-without-zone-accepted": {
    fault: "a change accepts a time without a zone",
    breaks: [{ clause: "GEN-10" }],
    caughtBy: ["times.without-zone-in-body"],
    mutate: alterProperty("DeliveryChange", "ready_at", anyText),
  },
  "refused-order-is-stored": {
    fault: "an order with a time without a zone is refused, but stored",
    breaks: [{ clause: "GEN-13", case: "ready_at" }],
    caughtBy: ["times.without-zone-in-body"],
    mutate: compose(
      alterProperty("NewDelivery", "ready_at", anyText),
      alterCreation(async (call, create) => {
        const reply = await create(call);
        if (hasNoZone(call.body.ready_at)) throw rejected("ready_at", "saat dilimi yok");
        return reply;
      }),
    ),
  },
  "change-refused-but-stored": {
    fault: "a change with a time without a zone is refused, but stored",
    breaks: [{ clause: "GEN-13" }],
    caughtBy: ["change-bounds.ready-at-zone", "times.without-zone-in-body"],
    mutate: compose(
      alterProperty("DeliveryChange", "ready_at", anyText),
      replaceOperation("updateDelivery", async (call, original) => {
        const reply = await original(call);
        if (hasNoZone(call.body.ready_at)) throw rejected("ready_at", "saat dilimi yok");
        return reply;
      }),
    ),
  },
  "created-from-without-zone-accepted": {
    fault: "created_from is accepted without a time zone",
    breaks: [{ clause: "GEN-12", case: "created_from" }],
    mutate: alterListParameter("created_from", { type: "string" }),
  },
  "from-without-zone-accepted": {
    fault: "from is accepted without a time zone",
    breaks: [{ clause: "GEN-12", case: "from" }],
    mutate: alterListParameter("from", { type: "string" }),
  },
  "time-without-zone-answers-422": {
    fault: "a time without a zone returns 422",
    breaks: [{ clause: "GEN-11" }],
    mutate: compose(
      alterProperty("NewDelivery", "ready_at", anyText),
      alterCreation(async (call, create) => {
        if (hasNoZone(call.body.ready_at)) throw new DomainError("HIZMET_DISI");
        return create(call);
      }),
    ),
  },
};
