import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RunningServer, startReferenceServer } from "../embedded.ts";
import { actAsCourier, advanceClock, createDelivery, linkStore, openAccount } from "../testing/accounts.ts";

let server: RunningServer;
/** Event types with their times, by external_ref. */
const events = new Map<string, [string, number][]>();
const kinds = (ref: string) => events.get(ref)?.map(([kind]) => kind);

beforeAll(async () => {
  server = await startReferenceServer({
    mutate: (deps) => ({
      ...deps,
      emit: async (all, tx, delivery, kind) => {
        const { external_ref: ref, updated_at } = delivery;
        events.set(ref, [...(events.get(ref) ?? []), [kind, updated_at]]);
        return deps.emit(all, tx, delivery, kind);
      },
    }),
  });
});
afterAll(() => server.close());

/** A new integrator, because its clock is advanced. Its token lasts half an hour. */
async function scheduled(ref: string, hours: number) {
  const account = await openAccount(server);
  const store = await linkStore(account);
  const time = Date.parse(store.body.created_at) + hours * 3_600_000;
  const schedule = hours === 0 ? {} : { scheduled_for: new Date(time).toISOString() };
  const { body: delivery } = await createDelivery(account, ref, schedule).expect(201);
  return { account, delivery, time, path: `/v1/deliveries/${delivery.id}` };
}

describe("the search for a courier", () => {
  test("of a scheduled delivery starts at its due time, before the scheduled time", async () => {
    const { account, delivery, time } = await scheduled("far", 24);
    expect(delivery).toMatchObject({ status: "QUEUED" });
    expect(kinds("far")).toEqual(["delivery.created"]);
    await advanceClock(account, 24 * 3600);
    expect(kinds("far")).toEqual(["delivery.created", "delivery.queued"]);
    expect(events.get("far")?.[1]?.[1]).toBe(time - 45 * 60_000);
  });

  test("starts immediately for a delivery scheduled soon", async () => {
    await scheduled("soon", 0.5);
    expect(kinds("soon")).toEqual(["delivery.created", "delivery.queued"]);
  });

  test("follows a changed schedule, in real time too", async () => {
    const { account, path } = await scheduled("changed", 24);
    await account.api.patch(path).send({ scheduled_for: null }).expect(200);
    await expect
      .poll(() => kinds("changed"))
      .toEqual(["delivery.created", "delivery.updated", "delivery.queued"]);
    expect((await account.api.get(path)).body.version).toBe(3);
  });

  test("emits no delivery.queued if a courier got an offer first", async () => {
    const { account, delivery, path } = await scheduled("early", 3);
    for (const action of ["offered", "offer_lapsed"]) {
      await actAsCourier(account, delivery.id, action).expect(204);
    }
    await account.api.patch(path).send({ notes: "Zil bozuk" }).expect(200);
    await advanceClock(account, 4 * 3600);
    const early = ["delivery.created", "delivery.offered", "delivery.queued", "delivery.updated"];
    expect(kinds("early")).toEqual(early);
  });

  test("sets unassigned_alert_at once, without an event, if nobody is assigned in time", async () => {
    const { account, delivery, path } = await scheduled("alone", 0);
    await advanceClock(account, 599);
    expect((await account.api.get(path)).body.unassigned_alert_at).toBeNull();
    await advanceClock(account, 1000);
    const due = Date.parse(delivery.created_at) + 600_000;
    const after = (await account.api.get(path)).body;
    expect(after).toMatchObject({ version: 2, unassigned_alert_at: new Date(due).toISOString() });
    expect(after.updated_at).toBe(after.unassigned_alert_at);
    expect(kinds("alone")).toEqual(["delivery.created", "delivery.queued"]);
  });

  test("sets no alert if a courier is assigned", async () => {
    const { account, delivery, path } = await scheduled("served", 0);
    await actAsCourier(account, delivery.id, "assigned").expect(204);
    await advanceClock(account, 1200);
    expect((await account.api.get(path)).body.unassigned_alert_at).toBeNull();
  });
});
