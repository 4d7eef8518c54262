import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Dependencies } from "../../reference-server/dependencies.ts";
import { type RunningServer, startReferenceServer } from "../../reference-server/embedded.ts";
import {
  type Account,
  advanceClock,
  createDelivery,
  linkStore,
  openAccount,
} from "../../reference-server/testing/accounts.ts";
import { postgres, servicesAreLeftOut } from "../../reference-server/testing/databases.ts";
import { withSandbox } from "../sandbox.ts";
import { consoleOf, giveCouriers } from "../testing/console.ts";

const speed = 1;
const hours = 3600;

const open: RunningServer[] = [];
afterAll(async () => {
  for (const server of open) await server.close();
});

/** A server whose events are recorded by order number: type and courier. */
async function sandbox(seed: string) {
  const events = new Map<string, string[]>();
  const positions: { at: number; delivery: string; place: unknown }[] = [];
  const noting = (deps: Dependencies): Dependencies => ({
    ...deps,
    emit: async (all, tx, delivery, kind) => {
      const ref = delivery.external_ref;
      if (kind === "delivery.courier_location") {
        const { courier, updated_at: at } = delivery;
        positions.push({
          at,
          delivery: ref,
          place: [courier?.name, courier?.plate, courier?.lat, courier?.lng],
        });
      } else events.set(ref, [...(events.get(ref) ?? []), kind.replace("delivery.", "")]);
      return deps.emit(all, tx, delivery, kind);
    },
  });
  const server = await startReferenceServer({
    mutate: (deps) => withSandbox({ seed, speed })(noting(deps)),
  });
  open.push(server);
  const account = await openAccount(server);
  await linkStore(account);
  const drive = (simulated: boolean) => giveCouriers(consoleOf(server), account, simulated);
  await drive(true);
  return { account, events, positions, drive };
}

type Box = Awaited<ReturnType<typeof sandbox>>;

async function create({ account }: Pick<Box, "account">, ref: string, more?: object): Promise<string> {
  return (await createDelivery(account, ref, more).expect(201)).body.id;
}
const read = async (account: Account, id: string) => (await account.api.get(`/v1/deliveries/${id}`)).body;

async function pass({ account }: Box, seconds: number): Promise<void> {
  await advanceClock(account, seconds).expect(200);
}

const whole = ["assigned", "at_pickup", "picked_up", "en_route", "arrived"];

describe("a simulated courier", () => {
  const cases: [notes: string, way: string[]][] = [
    ["sim: failed at the door", ["offered", ...whole, "failed"]],
    ["Sim: Kapıda Teslim Edilemedi. Zil yok", ["offered", ...whole, "failed"]],
    ["sim: returned", ["offered", ...whole, "returning", "returned"]],
    ["sim: offer lapses twice", ["offered", "queued", "offered", "queued", "offered", ...whole, "delivered"]],
    ["sim: nobody free", []],
    ["sim: by hand", []],
  ];
  const ordinary = ["sim: fly", "Lütfen zili çalmayın", null];
  let box: Box;

  beforeAll(async () => {
    box = await sandbox("7");
    for (const [notes] of cases) await create(box, notes, { notes });
    for (const notes of ordinary) await create(box, `ordinary ${notes}`, notes === null ? {} : { notes });
    // The advance is longer than a token's lifetime.
    await pass(box, 6 * hours);
  });

  test.each(cases)("follows the script in the notes: %s", (notes, way) => {
    expect(box.events.get(notes)).toEqual(["created", "queued", ...way]);
  });

  test.each(ordinary)("delivers if the notes contain no known script: %s", (notes) => {
    expect(box.events.get(`ordinary ${notes}`)?.slice(-6)).toEqual([...whole, "delivered"]);
  });

  test("reports positions on its routes, at most once every 30 s", () => {
    const of = box.positions.filter(({ delivery }) => delivery === "ordinary null");
    const told = of.map((position) => position.at);
    expect(told.length).toBeGreaterThan(5);
    const gaps = told.slice(1).map((time, index) => time - (told[index] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(30_000);
  });
});

describe("the random choices", () => {
  async function run(seed: string): Promise<unknown[]> {
    const box = await sandbox(seed);
    for (const ref of ["a", "b", "c", "d", "e", "f"]) await create(box, ref);
    await pass(box, 6 * hours);
    return [...box.events.values(), ...box.positions.map(({ delivery, place }) => [delivery, place])];
  }

  test("are the same for the same seed and order, and differ for others", async () => {
    const [one, again, other] = [await run("1"), await run("1"), await run("2")];
    expect(one).toEqual(again);
    expect(one).not.toEqual(other);
    expect(one.length).toBeGreaterThan(6);
  });
});

describe("couriers on shift", () => {
  test("carry one delivery each; the next waiting delivery follows", async () => {
    const box = await sandbox("3");
    const store = (await box.account.api.get("/v1/stores/s1")).body;
    await box.account.control.patch(`/stores/${store.id}`).send({ couriers_on_shift: 1 });
    for (const ref of ["first", "second"]) await create(box, ref);
    await pass(box, 6 * hours);
    expect(box.events.get("first")?.at(-1)).toBe("delivered");
    expect(box.events.get("second")?.at(-1)).toBe("delivered");
    const told = box.positions.map(({ delivery }) => delivery);
    expect(told.lastIndexOf("first")).toBeLessThan(told.indexOf("second"));
  });

  test("move only for integrators with simulated couriers", async () => {
    const box = await sandbox("4");
    await box.drive(false);
    const id = await create(box, "alone");
    await pass(box, 600);
    expect((await read(box.account, id)).status).toBe("QUEUED");
    await box.drive(true);
    await pass(box, 3 * hours);
    expect(box.events.get("alone")?.at(-1)).toBe("delivered");
  });

  test("leave a cancelled delivery", async () => {
    const box = await sandbox("5");
    const id = await create(box, "cancelled");
    await pass(box, 60);
    await box.account.api.post(`/v1/deliveries/${id}/cancel`).send({ reason: "Vazgeçildi" });
    await pass(box, 3 * hours);
    expect(box.events.get("cancelled")?.at(-1)).toBe("cancelled");
  });
});

describe.skipIf(servicesAreLeftOut)("of several instances", () => {
  const database = postgres();

  test("one of several instances simulates the deliveries created at the others", async () => {
    const shared = await database.kept();
    const controlToken = randomUUID();
    const driving = await startReferenceServer({
      ...shared,
      controlToken,
      mutate: withSandbox({ seed: "8", speed: 3600 }),
    });
    const asked = await startReferenceServer({ ...shared, controlToken, mutate: withSandbox(null) });
    open.push(driving, asked);
    const account = await openAccount(asked);
    await linkStore(account);
    await giveCouriers(consoleOf(asked), account);
    const waiting = await create({ account }, "waiting", { notes: "sim: by hand" });
    const ordinary = await create({ account }, "ordinary");

    const becomes = (id: string, status: string) =>
      expect.poll(() => read(account, id)).toMatchObject({ status });
    await becomes(ordinary, "DELIVERED");
    await account.api.post(`/v1/deliveries/${waiting}/cancel`).send({ reason: "Vazgeçildi" });
    const next = await create({ account }, "next");
    await becomes(next, "DELIVERED");
    expect(await read(account, waiting)).toMatchObject({ status: "CANCELLED" });
  });
});
