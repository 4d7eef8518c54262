import { mkdtempSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { sql } from "kysely";
import { afterEach, expect, test } from "vitest";
import type { Dependencies } from "../../dependencies.ts";
import { type RunningServer, type StartOptions, startReferenceServer } from "../../embedded.ts";
import { createDelivery, linkStore, openAccount, withToken } from "../accounts.ts";

const open: RunningServer[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

async function serverWith(options: StartOptions) {
  const server = await startReferenceServer(options);
  open.push(server);
  return server;
}

const inFolder = () => join(mkdtempSync(join(tmpdir(), "storage-")), "courier.db");

test.each([
  ["that is made", () => {}],
  ["that other users could read", (file: string) => writeFileSync(file, "", { mode: 0o644 })],
])(
  "a database file %s and its accompanying files become readable only by their owner",
  async (_, prepare) => {
    const database = inFolder();
    prepare(database);
    const account = await openAccount(await serverWith({ database }));
    await linkStore(account);
    const folder = join(database, "..");
    const modes = readdirSync(folder).map((name) => [name, statSync(join(folder, name)).mode & 0o777]);
    expect(modes.length).toBeGreaterThanOrEqual(3);
    expect(modes.filter(([, mode]) => mode !== 0o600)).toEqual([]);
  },
);

test("an event without endpoints is stored without its body", async () => {
  const database = inFolder();
  const account = await openAccount(await serverWith({ database }));
  await linkStore(account);
  await createDelivery(account, "unheard").expect(201);
  const file = new DatabaseSync(database, { readOnly: true });
  const rows = file.prepare("select type, body from events").all();
  file.close();
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.filter(({ body }) => body !== "")).toEqual([]);
});

test("a full disk is reported once, loses no answered request, and recovers when space is free", async () => {
  const faults: unknown[] = [];
  let deps: Dependencies | undefined;
  const server = await serverWith({
    database: inFolder(),
    mutate: (original) => {
      deps = original;
      return original;
    },
    reportFault: (error) => faults.push(error),
  });
  if (!deps) throw new Error("no dependencies");
  const { database } = deps;
  const account = await openAccount(server);
  await linkStore(account);
  const kept = (await createDelivery(account, "before").expect(201)).body.id;
  await sql`pragma max_page_count = 1`.execute(database);
  const refused: string[] = [];
  for (let index = 0; index < 60; index += 1) {
    const ref = `full-${index}`;
    const { status } = await createDelivery(account, ref, { notes: "x".repeat(400) });
    expect([201, 500]).toContain(status);
    if (status === 500) refused.push(ref);
  }
  expect(refused.length).toBeGreaterThan(5);
  expect(faults.map(String)).toEqual([expect.stringContaining("the database's disk is full")]);
  await account.api.get(`/v1/deliveries/${kept}`).expect(200);
  await sql`pragma max_page_count = 1000000`.execute(database);
  await createDelivery(account, refused[0] ?? "").expect(201);
});

test("the health check reports a filling disk", async () => {
  let free = 1_000_000_000;
  const server = await serverWith({
    mutate: (deps) => ({ ...deps, storage: { freeBytes: async () => free } }),
  });
  const health = () => withToken(server.url, null).get("/healthz").unset("authorization");
  expect((await health().expect(200)).body).toMatchObject({ ok: true, db: "ok" });
  free = 1_000_000;
  expect((await health().expect(503)).body).toMatchObject({ ok: false, db: "full" });
});

test("the daily storage quota applies per integrator and resets the next day", async () => {
  const server = await serverWith({
    mutate: (deps) => ({ ...deps, limits: { ...deps.limits, dailyBytes: 10_000 } }),
  });
  const [greedy, other] = [await openAccount(server), await openAccount(server)];
  await linkStore(greedy);
  let status = 201;
  for (let index = 0; index < 100 && status === 201; index += 1)
    ({ status } = await createDelivery(greedy, `share-${index}`));
  expect(status).toBe(429);
  await greedy.api.get("/v1/deliveries").expect(200);
  await linkStore(other);
});

test("wrong control tokens are refused with growing delay and reported; the valid one isn't delayed", async () => {
  const faults: unknown[] = [];
  const server = await serverWith({ reportFault: (error) => faults.push(error) });
  const started = performance.now();
  for (let guess = 0; guess < 11; guess += 1) {
    await withToken(server.controlUrl, `guess-${guess}`).get("/").expect(401);
  }
  // Each response is delayed by 50 ms more than the previous one, 2.75 s in total.
  expect(performance.now() - started).toBeGreaterThan(2_500);
  expect(faults.map(String)).toEqual([
    expect.stringMatching(/10 wrong control tokens within a minute from .*127\.0\.0\.1/),
  ]);
  const answered: string[] = [];
  const ask = async (whose: string, token: string | null, status: number) => {
    await withToken(server.controlUrl, token).get("/").expect(status);
    answered.push(whose);
  };
  await Promise.all([ask("wrong", "guess-11", 401), ask("right", server.controlToken, 200)]);
  expect(answered).toEqual(["right", "wrong"]);
});

test("the minute of wrong control tokens begins with the first one, not with the clock's minute", async () => {
  let now = Date.parse("2030-01-01T00:00:59.900Z");
  const server = await serverWith({
    mutate: (deps) => ({ ...deps, clock: { ...deps.clock, now: () => now } }),
  });
  const guess = async () => {
    const started = performance.now();
    await withToken(server.controlUrl, "guess").get("/").expect(401);
    return performance.now() - started;
  };
  for (let count = 0; count < 5; count += 1) await guess();
  now += 59_000;
  expect(await guess()).toBeGreaterThan(240);
});
