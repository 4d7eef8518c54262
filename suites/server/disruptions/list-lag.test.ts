import { expect, test } from "vitest";
import type { Exchange } from "../../core/exchange.ts";
import type { Outcome } from "../../core/grading/outcome.ts";
import { LagRecord, type ListReadings } from "../session/list-readings.ts";
import { retryOnLag } from "./list-lag.ts";
import { LostConnections } from "./lost-connections.ts";

const failed: Outcome = { status: "failed", duration_ms: 1, requests: 1, message: "it isn't listed" };
const passed: Outcome = { status: "passed", duration_ms: 1, requests: 1 };
const notTestable: Outcome = {
  status: "not_testable",
  duration_ms: 1,
  requests: 1,
  message: "no code is left",
};

const listing = (startedAt: number): Exchange => ({
  operation: "listStores",
  method: "GET",
  url: "http://service/v1/stores",
  requestHeaders: {},
  requestBody: undefined,
  startedAt,
  durationMs: 1,
  response: { status: 200, headers: {}, text: "[]", json: [], bytes: Buffer.from("[]") },
  failure: undefined,
  violates: undefined,
});

/** Ends as it is told, try by try, each of which has read a list or not. */
async function tried(ends: readonly Outcome[], readsAList = true, lag = new LagRecord()) {
  let tries = 0;
  const { outcome } = await retryOnLag(
    async (lists) => {
      const end = ends[tries] ?? passed;
      tries += 1;
      if (readsAList) lists.observe(listing(0));
      return { outcome: end, connections: new LostConnections() };
    },
    0,
    lag,
  );
  return { tries, outcome };
}

test("what fails at a list that was just read is tried again, and tells so where it passes", async () => {
  expect(await tried([failed, passed])).toEqual({
    tries: 2,
    outcome: { ...passed, account: [expect.stringContaining("10 s after each change")] },
  });
});

test("what fails again is a finding", async () => {
  expect(await tried([failed, failed, passed])).toEqual({ tries: 2, outcome: failed });
});

test("what fails at something else is one at once", async () => {
  expect(await tried([failed, passed], false)).toEqual({ tries: 1, outcome: failed });
});

test("what can't be tried again says what was seen before", async () => {
  const { outcome } = await tried([failed, notTestable]);
  expect(outcome.message).toMatch(/it isn't listed.*no code is left/);
});

test("what passes isn't tried again", async () => {
  expect((await tried([passed, failed])).tries).toBe(1);
});

/** What fails again in so many checks, after some that passed the second time. */
async function triesAfter(...secondTries: readonly Outcome[]): Promise<number> {
  const lag = new LagRecord();
  for (const second of secondTries) await tried([failed, second], true, lag);
  return (await tried([failed, failed], true, lag)).tries;
}

test("where lists have shown nothing more when they were read later, no further check is kept waiting", async () => {
  expect(await triesAfter(failed, failed)).toBe(2);
  expect(await triesAfter(failed, failed, failed)).toBe(1);
});

test("where one list lagged, others may, whatever else is wrong", async () => {
  expect(await triesAfter(passed, failed, failed, failed)).toBe(2);
});

test("where a check goes on after a failure, what counts is whether it had read a list by then", async () => {
  const triesWith = async (go: (lists: ListReadings) => void): Promise<number> => {
    let tries = 0;
    await retryOnLag(
      async (lists) => {
        tries += 1;
        go(lists);
        return { outcome: failed, connections: new LostConnections() };
      },
      0,
      new LagRecord(),
    );
    return tries;
  };
  const readsAfterwards = (lists: ListReadings) => {
    lists.noteFailure();
    lists.observe(listing(0));
  };
  const writesAfterwards = (lists: ListReadings) => {
    lists.observe(listing(0));
    lists.noteFailure();
    lists.noteChange();
  };
  expect(await triesWith(readsAfterwards)).toBe(1);
  expect(await triesWith(writesAfterwards)).toBe(2);
});
