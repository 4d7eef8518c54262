/** The databases that tests run on: SQLite, and PostgreSQL if TEST_POSTGRES_URL names a server. */
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, describe } from "vitest";
import { type RunningServer, type StartOptions, startReferenceServer } from "../embedded.ts";

interface TestDatabase {
  /** Settings of a new database that outlives its servers. */
  kept(): Promise<StartOptions & { database: string }>;
  /** A server on a new database. */
  start(options?: StartOptions): Promise<RunningServer>;
}

const postgresUrl = process.env.TEST_POSTGRES_URL;
export const redisUrl = process.env.TEST_REDIS_URL;
/**
 * `npm test` needs neither a database server nor Redis. If services are required, tests fail without them.
 */
export const servicesAreLeftOut =
  (postgresUrl === undefined || redisUrl === undefined) && process.env.REQUIRE_SERVICES !== "1";

const databases: readonly { name: string; isLeftOut: boolean; make: () => TestDatabase }[] = [
  { name: "SQLite", isLeftOut: false, make: sqlite },
  { name: "PostgreSQL", isLeftOut: servicesAreLeftOut, make: postgres },
];
export const testedDatabaseNames: readonly string[] = databases.map(({ name }) => name);

/** Runs the tests on each database. Tests on an unavailable database are reported as skipped. */
export function onEachDatabase(tests: (database: TestDatabase) => void): void {
  for (const { name, isLeftOut, make } of databases) {
    describe.skipIf(isLeftOut)(`on ${name}`, () => tests(make()));
  }
}

function sqlite(): TestDatabase {
  let folder: string | undefined;
  afterAll(() => folder !== undefined && rmSync(folder, { recursive: true }));
  return {
    async kept() {
      folder ??= mkdtempSync(join(tmpdir(), "courier-"));
      return { database: join(folder, `${randomBytes(6).toString("hex")}.db`) };
    },
    start: (options) => startReferenceServer(options),
  };
}

/** Drops each database after its tests, despite open connections. */
export function postgres(): TestDatabase {
  const made: string[] = [];
  afterAll(async () => {
    for (const name of made) await ask(`drop database ${name} with (force)`);
  }, 60_000);
  const kept = async () => {
    const name = `courier_test_${randomBytes(6).toString("hex")}`;
    await ask(`create database ${name}`);
    made.push(name);
    return { database: urlOf(name), webhookKey: randomBytes(32) };
  };
  return { kept, start: async (options) => startReferenceServer({ ...(await kept()), ...options }) };
}

function urlOf(name: string): string {
  const url = new URL(postgresUrl ?? "");
  url.pathname = `/${name}`;
  return url.href;
}

async function ask(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: postgresUrl });
  await client.connect();
  await client.query(sql);
  await client.end();
}
