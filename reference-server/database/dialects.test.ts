import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { integratorRecords } from "../records/integrators.ts";
import { outboxRecords } from "../records/outbox.ts";
import { onEachDatabase, testedDatabaseNames } from "../testing/databases.ts";
import type { OpenedDatabase } from "./dialect.ts";
import { migrate } from "./migrations.ts";
import { dialectAt, dialects, locationOf, openDatabase } from "./open.ts";
import { afterCommit, inTransaction } from "./transaction.ts";

test("every database that the server runs on is tested", () => {
  expect(testedDatabaseNames.toSorted()).toEqual(dialects.map(({ name }) => name).toSorted());
});

describe("an address", () => {
  test.each([
    ["file:courier.db", "courier.db", "SQLite"],
    ["file:///var/lib/courier.db", "/var/lib/courier.db", "SQLite"],
    ["postgres://u:p@host/courier", "postgres://u:p@host/courier", "PostgreSQL"],
    ["postgresql://host/courier", "postgresql://host/courier", "PostgreSQL"],
  ])("the URL %s selects %s on %s", (url, location, name) => {
    expect(locationOf(url)).toBe(location);
    expect(dialectAt(location).name).toBe(name);
  });

  test.each(["mysql://host/courier", "courier.db", "file:", "postgres://[host/courier"])(
    "%s leads nowhere",
    (url) => {
      expect(locationOf(url)).toBeUndefined();
    },
  );

  test.each([
    [":memory:", undefined],
    ["courier.db", "courier.db"],
    ["postgres://host/courier", undefined],
  ])("the data of %s is in the file %s", (location, file) => {
    expect(dialectAt(location).fileOf(location)).toBe(file);
  });
});

onEachDatabase((testDatabase) => {
  let opened: OpenedDatabase;
  const later = 2 ** 45;

  beforeAll(async () => {
    opened = await openDatabase((await testDatabase.kept()).database);
    await migrate(opened.database);
    await inTransaction(opened.database, (tx) =>
      integratorRecords.insert(tx, {
        id: "someone",
        client_id: "ci_someone",
        secret_hash: "",
        kind: "integrator",
        closed_at: null,
        clock_offset_ms: 0,
        clock_frozen_at: null,
        clock_moved_by: null,
        trusts_receivers: 0,
        created_at: later,
      }),
    );
  });
  afterAll(() => opened.database.destroy());

  const names = async () => {
    const rows = await opened.database.selectFrom("companies").select("name").orderBy("name").execute();
    return rows.map(({ name }) => name);
  };

  test("a migration keeps existing tables", async () => {
    await migrate(opened.database);
    expect(await integratorRecords.findById(opened.database, "someone")).toMatchObject({ id: "someone" });
  });

  test("times are read as the numbers that were written", async () => {
    const row = await opened.database
      .selectFrom("integrators")
      .select("created_at")
      .executeTakeFirstOrThrow();
    expect(row.created_at).toBe(later);
  });

  test("a transaction that throws is rolled back, and its afterCommit actions don't run", async () => {
    const followed: string[] = [];
    const work = inTransaction(opened.database, async (tx) => {
      afterCommit(tx, () => followed.push("undone"));
      await tx.insertInto("companies").values({ id: "1", name: "undone" }).execute();
      throw new Error("roll back");
    });
    await expect(work).rejects.toThrow("roll back");
    expect(await names()).not.toContain("undone");
    expect(followed).toEqual([]);
  });

  test("afterCommit actions run after the commit", async () => {
    const followed: string[] = [];
    await inTransaction(opened.database, async (tx) => {
      afterCommit(tx, () => followed.push("committed"));
      await tx.insertInto("companies").values({ id: "2", name: "committed" }).execute();
      expect(followed).toEqual([]);
    });
    expect(await names()).toContain("committed");
    expect(followed).toEqual(["committed"]);
  });

  test("concurrent claims never get the same row", async () => {
    const events = ["a", "b", "c", "d", "e", "f"];
    await inTransaction(opened.database, async (tx) => {
      for (const event_id of events) await outboxRecords.insert(tx, { event_id, webhook_id: "w" }, 0);
    });
    const address = { webhook_id: "w", integrator_id: "someone" };
    const claims = events.map((instance) =>
      outboxRecords.claim(opened.database, address, {
        rows: 1,
        now: 1,
        real: 1,
        leasedUntil: later,
        instance,
        asMover: false,
      }),
    );
    const claimed = (await Promise.all(claims)).flat();
    expect(claimed.toSorted()).toEqual([...new Set(claimed)].toSorted());
    // A claim that finds every row locked is repeated.
    const rest = { rows: events.length, now: 1, real: 1, leasedUntil: later, instance: "z", asMover: false };
    const left = await outboxRecords.claim(opened.database, address, rest);
    expect([...claimed, ...left].toSorted()).toEqual(events);
  });

  test("an instance is listed after it has joined", async () => {
    await opened.instances.join(() => {});
    expect(await opened.instances.present()).toContain(opened.instances.id);
    await opened.instances.leave();
  });
});
