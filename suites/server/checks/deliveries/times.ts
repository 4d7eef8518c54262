import { clause } from "../../../../openapi/generated/clauses.ts";
import { isoInstant } from "../../../core/clock.ts";
import { auxiliaryStep } from "../../../core/grading/expectations/auxiliary-step.ts";
import { cases, casesFrom } from "../../../core/grading/expectations/each-element.ts";
import { type Check, check } from "../../check.ts";
import { newIdempotencyKey } from "../../session/http/api.ts";
import { expectFields, expectOnlyDelivery, expectRefused } from "../../support/assertions.ts";
import {
  CLOCK_TOLERANCE_MS,
  cancelDelivery,
  changeDelivery,
  createUnlocatedDelivery,
} from "../../support/orders/deliveries.ts";
import { expectNoLater, instantIn } from "../../support/shown-values.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** A time without a zone, such as `2026-11-21T10:00:00`. */
const localTime = (ms: number, offsetMinutes = 0) => isoInstant(ms + offsetMinutes * MINUTE_MS).slice(0, 19);

const twoDigits = (value: number) => String(value).padStart(2, "0");

function zoneOf(offsetMinutes: number | null): string {
  if (offsetMinutes === null) return "Z";
  const size = Math.abs(offsetMinutes);
  const sign = offsetMinutes < 0 ? "-" : "+";
  return `${sign}${twoDigits(Math.floor(size / 60))}:${twoDigits(size % 60)}`;
}

const inZone = (ms: number, offset: number | null): string =>
  `${localTime(ms, offset ?? 0)}${zoneOf(offset)}`;

/** Offsets in minutes of existing time zones, some with half or quarter hours. Each has its index. */
const OFFSETS = [...[-720, -570, -300, -210, 0, 60, 180, 330, 345, 540, 840].entries()];

const EASTERNMOST_OFFSET_MIN = 14 * 60;

/** Local times whose date differs from that in UTC, by the offset in minutes. */
const ACROSS_MIDNIGHT = {
  "half past midnight in +03:00": { offset: 180, minuteOfDay: 30 },
  "half past eleven at night in -05:00": { offset: -300, minuteOfDay: 23 * 60 + 30 },
} as const;

/** The first such local time after tomorrow's beginning. */
function comingLocalTime(now: number, offset: number, minuteOfDay: number): number {
  const today = Math.floor((now + offset * MINUTE_MS) / DAY_MS) * DAY_MS;
  return today + DAY_MS + (minuteOfDay - offset) * MINUTE_MS;
}

const zones = check({
  id: "times.zones",
  title: "a time in a body is accepted with Z and any numeric offset, and is interpreted as that instant",
  clauses: [clause["GEN-8"], clause["GEN-9"]],
  async run({ api, attributeTo, each, order, now }) {
    const start = now();
    const tryZone = async (index: number, offset: number | null) => {
      const ready_at = inZone(start + (20 + 9 * index) * MINUTE_MS, offset);
      const delivery = (await api.createDelivery(await order({ ready_at }))).body(201);
      expectFields(delivery.ready_at, ready_at, "ready_at");
    };
    // A server may refuse a ready_at that is far ahead of a delivery without a schedule (OPEN-55).
    const createWithTimes = async (ms: number, offset: number | null): Promise<string> => {
      const sent = { ready_at: inZone(ms, offset), scheduled_for: inZone(ms + HOUR_MS / 3, offset) };
      const { id, ready_at, scheduled_for } = (await api.createDelivery(await order(sent))).body(201);
      expectFields({ ready_at, scheduled_for }, sent, "the delivery");
      return id;
    };
    attributeTo(clause["GEN-9"]);
    await tryZone(OFFSETS.length, null);
    // Positive control: a time that is lost in UTC too isn't a fault of the offset.
    const id = await auxiliaryStep(() => createWithTimes(start + 2 * DAY_MS, null));
    attributeTo(clause["GEN-8"]);
    const nameOf = ([, offset]: (typeof OFFSETS)[number]) => zoneOf(offset);
    await each(cases("zones", OFFSETS, nameOf), ([index, offset]) => tryZone(index, offset), {
      concurrency: OFFSETS.length,
    });
    await each(casesFrom("times", ACROSS_MIDNIGHT), async ([, { offset, minuteOfDay }]) => {
      await createWithTimes(comingLocalTime(start, offset, minuteOfDay), offset);
    });
    // The time is less than 7 days ahead, although its local notation without the offset isn't.
    const scheduledMs = start + 7 * 24 * HOUR_MS - 2 * HOUR_MS;
    const zone = zoneOf(EASTERNMOST_OFFSET_MIN);
    await each(cases("schedules", [`scheduled almost 7 days ahead in ${zone}`]), async () => {
      const scheduled_for = inZone(scheduledMs, EASTERNMOST_OFFSET_MIN);
      const scheduled = (await api.createDelivery(await order({ scheduled_for }))).body(201);
      expectFields(scheduled.scheduled_for, scheduled_for, "scheduled_for");
    });
    const times = Object.entries(ACROSS_MIDNIGHT);
    await each(
      cases("changes", times, ([name]) => `a PATCH to ${name}`),
      async ([, { offset, minuteOfDay }]) => {
        const ready_at = inZone(comingLocalTime(start, offset, minuteOfDay), offset);
        const changed = await changeDelivery(api, id, { ready_at });
        expectFields(changed.ready_at, ready_at, "ready_at after a PATCH");
      },
    );
  },
});

const withoutZoneInBody = check({
  id: "times.without-zone-in-body",
  title: "a body with a time without a zone is refused, and nothing is created or changed",
  clauses: [clause["GEN-10"], clause["GEN-13"]],
  async run({ api, attributeTo, each, order, now }) {
    const ready = now() + HOUR_MS;
    const rule = "a time without a zone";
    await each(cases("times of an order", ["ready_at", "scheduled_for"]), async (member) => {
      const body = await order();
      attributeTo(clause["GEN-10"]);
      const refused = await api.sendInvalid(
        "createDelivery",
        rule,
        { body: { ...body, [member]: localTime(ready) } },
        { key: newIdempotencyKey() },
      );
      expectRefused(refused);
      attributeTo(clause["GEN-13"]);
      // Positive control: the same order is created if the time has an offset, so the order didn't exist
      // before.
      const accepted = await api.createDelivery({ ...body, [member]: isoInstant(ready) });
      await expectOnlyDelivery(api, accepted.body(201));
    });
    const { id } = (await api.createDelivery(await order({ ready_at: isoInstant(ready) }))).body(201);
    const later = ready + HOUR_MS;
    attributeTo(clause["GEN-10"]);
    const change = await api.sendInvalid("updateDelivery", rule, {
      path: { id },
      body: { ready_at: localTime(later) },
    });
    expectRefused(change);
    attributeTo(clause["GEN-13"]);
    expectFields((await api.getDelivery(id)).body(200).ready_at, isoInstant(ready), "ready_at");
    (await api.updateDelivery(id, { ready_at: isoInstant(later) })).expectSuccess();
  },
});

const refusalInBody = check({
  id: "times.refusal-in-body",
  title: "a time without a zone in a body is refused with 400 DOGRULAMA",
  clauses: [clause["GEN-11"]],
  async run({ api, order, now }) {
    const ready = now() + HOUR_MS;
    const body = await order();
    const withoutZone = { ...body, ready_at: localTime(ready) };
    const refused = await api.sendInvalid(
      "createDelivery",
      "a time without a zone",
      { body: withoutZone },
      { key: newIdempotencyKey() },
    );
    refused.expectError(400, "DOGRULAMA");
    (await api.createDelivery({ ...body, ready_at: isoInstant(ready) })).body(201);
  },
});

const withoutZoneInQuery = check({
  id: "times.without-zone-in-query",
  title: "a query parameter with a time without a zone is refused",
  clauses: [clause["GEN-12"]],
  async run({ api, each, now }) {
    const ms = now() - HOUR_MS;
    await each(cases("parameters", ["from", "created_from", "created_to"]), async (name) => {
      const refused = await api.sendInvalid("listDeliveries", `${name} without a zone`, {
        query: { [name]: localTime(ms), limit: 1 },
      });
      expectRefused(refused);
      (await api.listDeliveries({ [name]: isoInstant(ms), limit: 1 })).expectStatus(200);
    });
  },
});

const utc = check({
  id: "times.utc",
  title:
    "updated_at of a delivery and the times of a store are in UTC, not local time with a Z: they aren't in the future",
  clauses: [clause["GEN-14"]],
  async run(context) {
    const { api, each } = context;
    const created = await createUnlocatedDelivery(context);
    const changed = await changeDelivery(api, created.id, { notes: "Zile basmayın" });
    const cancelled = await cancelDelivery(api, created.id);
    const store = (await api.getStore((await context.store()).external_store_id)).body(200);
    // Compares with the service's clock, because the suite's clock may differ.
    const { created_at } = await createUnlocatedDelivery(context);
    const latest = instantIn(created_at, { field: "created_at", where: "of a delivery created afterwards" });
    const shown = {
      "updated_at of a new delivery": created.updated_at,
      "updated_at of a changed delivery": changed.updated_at,
      "updated_at of a cancelled delivery": cancelled.updated_at,
      "created_at of a store": store.created_at,
      "updated_at of a store": store.updated_at,
    };
    await each(casesFrom("times", shown), ([name, time]) =>
      // The clocks of a service's instances may differ by less than a time zone.
      expectNoLater(
        time ?? created_at,
        latest + CLOCK_TOLERANCE_MS,
        `${name} (a delivery created afterwards has created_at ${created_at})`,
      ),
    );
  },
});

export const timesChecks: readonly Check[] = [
  zones,
  withoutZoneInBody,
  refusalInBody,
  withoutZoneInQuery,
  utc,
];
