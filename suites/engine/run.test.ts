import { describe, expect, onTestFinished, test, vi } from "vitest";
import { blockedBy, type Outcome } from "../core/grading/outcome.ts";
import { type CheckId, outcomesOf, type RunEvent } from "./events.ts";
import { inSequence, type RunOrder, runOrder } from "./order.ts";
import { type RunOptions, run } from "./run.ts";
import type { OpenTarget, RunTarget } from "./target.ts";

const outcome = (status: Outcome["status"]): Outcome => ({ status, duration_ms: 0, requests: 0 });
const PASSED = outcome("passed");
const FAILED = outcome("failed");

const idsOf = (...ids: readonly string[]): readonly CheckId[] => ids.map((id) => ({ id }));

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

type TargetParts = Partial<OpenTarget<CheckId>>;

/** A target whose checks pass, unless a given part differs. */
const targetOf = (parts: TargetParts = {}, rest: Partial<RunTarget<CheckId>> = {}): RunTarget<CheckId> => ({
  open: async ({ checks }) => ({
    order: inSequence(checks),
    redact: { text: (text) => text.replaceAll("secret", "[redacted]") },
    runOnce: async () => ({ outcome: PASSED }),
    summary: () => ({ requests: 3 }),
    close: async () => {},
    ...parts,
  }),
  ...rest,
});

/** Describes an event. */
const wordsOf = (event: RunEvent<CheckId>): string => {
  if (event.type === "notice") return event.text;
  if (event.type === "end") return `end after ${event.summary.requests}`;
  return `${event.type} ${event.check.id} ${event.outcome.status}`;
};

async function eventsOf(checks: readonly CheckId[], target: RunTarget<CheckId>, options?: RunOptions) {
  const events: string[] = [];
  for await (const event of run(checks, target, options)) events.push(wordsOf(event));
  return events;
}

describe("order", () => {
  /** The order in which checks start and end, if each pauses once. */
  async function traceOf(
    order: RunOrder<CheckId>,
    jobs: number,
    runOnce: OpenTarget<CheckId>["runOnce"] = async () => ({ outcome: PASSED }),
  ) {
    const trace: string[] = [];
    const target = targetOf({
      order,
      runOnce: async (check, mode) => {
        trace.push(`${check.id} begins`);
        await nextTurn();
        const ended = await runOnce(check, mode);
        trace.push(`${check.id} ends`);
        return ended;
      },
    });
    await outcomesOf(run([], target, { jobs }));
    return trace;
  }

  const checks = idsOf("a", "last-1", "b", "last-2", "c");
  const order = runOrder(checks, ({ id }) => id.startsWith("last"));

  test("as many checks run concurrently as there are jobs; serial ones run after all others, one at a time", async () => {
    const trace = await traceOf(order, 2);
    expect(trace.slice(0, 2)).toEqual(["a begins", "b begins"]);
    expect(trace.indexOf("c begins")).toBeGreaterThan(trace.indexOf("a ends"));
    expect(trace.slice(6)).toEqual(["last-1 begins", "last-1 ends", "last-2 begins", "last-2 ends"]);
  });

  test("each step of the checks that run ahead ends before the next begins", async () => {
    const trace = await traceOf({ ...order, ahead: [idsOf("first"), idsOf("second", "other")] }, 2);
    expect(trace.slice(0, 3)).toEqual(["first begins", "first ends", "second begins"]);
    expect(trace.slice(3, 7)).toEqual(["other begins", "second ends", "other ends", "a begins"]);
  });

  test("a check of the whole run starts first and is notified when the others have ended; passive ones run last", async () => {
    const trace = await traceOf(
      { ...order, wholeRun: idsOf("whole"), passive: idsOf("passive") },
      1,
      async ({ id }, { restOfRun }) => {
        if (id === "whole") await restOfRun;
        return { outcome: PASSED };
      },
    );
    expect(trace[0]).toBe("whole begins");
    expect(trace.slice(-4)).toEqual(["last-2 ends", "whole ends", "passive begins", "passive ends"]);
  });

  test("the seed decides the shuffled order", async () => {
    const many = idsOf(..."abcdefghij");
    const shuffled = (seed: number) => eventsOf(many, targetOf(), { seed, shuffle: true });
    expect(await shuffled(1)).toEqual(await shuffled(1));
    expect(await shuffled(1)).not.toEqual(await shuffled(2));
    expect(await shuffled(1)).not.toEqual(await eventsOf(many, targetOf()));
  });
});

describe("results", () => {
  const failing = (...ids: readonly string[]): TargetParts => ({
    runOnce: async ({ id }) => ({ outcome: ids.includes(id) ? FAILED : PASSED }),
  });

  test("a pass is a result at once; a failure is reported when found, and is a result when all checks have run", async () => {
    expect(await eventsOf(idsOf("a", "b", "c"), targetOf(failing("a")))).toEqual([
      "failure a failed",
      "result b passed",
      "result c passed",
      "result a failed",
      "end after 3",
    ]);
  });

  test("a failure by which others are blocked is decided at once", async () => {
    const target = targetOf({
      ...failing("a"),
      blocksOthers: () => true,
      blockedBefore: async ({ id }, endOf) =>
        id === "b" && (await endOf({ id: "c" }))?.status === "passed" ? blockedBy("a") : undefined,
    });
    expect(await eventsOf(idsOf("a", "b"), target)).toEqual([
      "result a failed",
      "result c passed",
      "result b blocked",
      "end after 3",
    ]);
  });

  test("two checks that wait for each other's outcome don't deadlock", async () => {
    const [a, b] = [{ id: "a" }, { id: "b" }];
    const target = targetOf({
      runOnce: async (_, mode) => ({ outcome: mode.run === "first" ? PASSED : FAILED }),
      outcomeAmongOthers: async (check, { outcome: found }, endOf) =>
        (await endOf(check === a ? b : a)) ? found : FAILED,
    });
    expect(await eventsOf([a, b], target)).toEqual([
      "failure b failed",
      "result a passed",
      "result b failed",
      "end after 3",
    ]);
  });

  test("a correction replaces a result, and a failure that has no result yet", async () => {
    const target = targetOf({
      ...failing("a"),
      corrections: () =>
        new Map([
          ["a", outcome("blocked")],
          ["b", FAILED],
        ]),
    });
    expect(await eventsOf(idsOf("a", "b"), target)).toEqual([
      "failure a failed",
      "result b passed",
      "result b failed",
      "result a blocked",
      "end after 3",
    ]);
  });

  test("a check whose decided run is reopened runs again, and is decided once more", async () => {
    const ran: string[] = [];
    const restart = { kind: "restart", from: 0, to: 0, what: "the target stopped", operation: "a" } as const;
    const target = targetOf({
      runOnce: async ({ id }, { run: turn }) => {
        ran.push(`${id} ${turn}`);
        return turn === "first" ? { outcome: PASSED } : { outcome: FAILED, disturbances: [restart] };
      },
      reopened: () => new Map([["a", { outcome: FAILED, disturbances: [restart] }]]),
    });
    expect(await eventsOf(idsOf("a", "b"), target)).toEqual([
      "result a passed",
      "result b passed",
      "result a failed",
      "end after 3",
    ]);
    expect(ran).toEqual(["a first", "b first", "a confirmation", "a confirmation"]);
  });

  test("an error in a check's run is reported for that check without secrets, and the others run", async () => {
    const target = targetOf({
      runOnce: async ({ id }) => {
        if (id === "a") throw new Error("broke at a secret");
        return { outcome: PASSED };
      },
    });
    const outcomes = await outcomesOf(run(idsOf("a", "b"), target));
    expect(outcomes.get("a")).toMatchObject({
      status: "errored",
      message: expect.stringMatching(/^Error: broke at a \[redacted\]\n/),
    });
    expect(outcomes.get("b")).toBe(PASSED);
  });

  test("an error on opening the target is thrown; after a later error the target is closed first", async () => {
    const closed = new Error("closed");
    await expect(eventsOf([], { open: () => Promise.reject(closed) })).rejects.toBe(closed);
    let isClosed = false;
    const target = targetOf({
      activeChecksEnded: () => Promise.reject(closed),
      close: async () => {
        isClosed = true;
      },
    });
    await expect(eventsOf(idsOf("a"), target)).rejects.toBe(closed);
    expect(isClosed).toBe(true);
  });
});

describe("an abort", () => {
  /** A target whose first check ends when it is stopped, with a record of its calls. */
  function hangingTarget(parts: TargetParts = {}) {
    const done: string[] = [];
    const stopped = Promise.withResolvers<void>();
    const target = targetOf({
      runOnce: async ({ id }) => {
        done.push(id);
        if (id === "b") await stopped.promise;
        return { outcome: PASSED };
      },
      stop: () => {
        done.push("stop");
        stopped.resolve();
      },
      cleanUp: async ({ isInterrupted }) => {
        done.push(isInterrupted ? "short cleanup" : "cleanup");
        return { cleaned_up: { deliveries: 0, webhooks: 0 }, left_behind: [] };
      },
      close: async () => {
        done.push("close");
      },
      ...parts,
    });
    return { target, done };
  }

  test("ends the running checks without a result, and cleans up", async () => {
    const { target, done } = hangingTarget();
    const abort = new AbortController();
    const events: string[] = [];
    for await (const event of run(idsOf("a", "b", "c"), target, { signal: abort.signal })) {
      events.push(wordsOf(event));
      abort.abort();
    }
    expect(events).toEqual(["result a passed", "end after 3"]);
    expect(done).toEqual(["a", "b", "stop", "short cleanup", "close"]);
  });

  test("happens when the loop over the events is left", async () => {
    const { target, done } = hangingTarget();
    for await (const event of run(idsOf("a", "b", "c"), target)) if (event.type === "result") break;
    expect(done).toEqual(["a", "b", "stop", "short cleanup", "close"]);
  });

  test("during the cleanup ends the cleanup", async () => {
    const abort = new AbortController();
    const ended: unknown[] = [];
    const { target } = hangingTarget({
      runOnce: async () => ({ outcome: PASSED }),
      cleanUp: async ({ isInterrupted, stopped }) => {
        ended.push(isInterrupted, stopped.aborted);
        abort.abort();
        ended.push(stopped.aborted);
        return { cleaned_up: { deliveries: 0, webhooks: 0 }, left_behind: [] };
      },
    });
    await eventsOf(idsOf("a"), target, { signal: abort.signal });
    expect(ended).toEqual([false, false, true]);
  });

  test("a second signal ends the cleanup of an aborted run", async () => {
    const [abort, giveUp] = [new AbortController(), new AbortController()];
    abort.abort();
    const ended: unknown[] = [];
    const { target } = hangingTarget({
      cleanUp: async ({ isInterrupted, stopped }) => {
        ended.push(isInterrupted, stopped.aborted);
        giveUp.abort();
        ended.push(stopped.aborted);
        return { cleaned_up: { deliveries: 0, webhooks: 0 }, left_behind: [] };
      },
    });
    await eventsOf(idsOf("a"), target, { signal: abort.signal, giveUp: giveUp.signal });
    expect(ended).toEqual([true, false, true]);
  });

  test("a run that doesn't end is abandoned soon after the second signal, and its summary says so", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const { target } = hangingTarget({ stop: () => {} });
    const [abort, giveUp] = [new AbortController(), new AbortController()];
    const events = run(idsOf("a", "b"), target, { signal: abort.signal, giveUp: giveUp.signal });
    await events.next();
    abort.abort();
    giveUp.abort();
    const last = events.next();
    await vi.advanceTimersByTimeAsync(2_000);
    expect((await last).value).toEqual({ type: "end", summary: { requests: 3, abandoned: true } });
  });

  test("after enough failures no further check starts, and the failures are confirmed", async () => {
    const enough = new AbortController();
    const modes: string[] = [];
    const target = targetOf({
      runOnce: async ({ id }, { run }) => {
        modes.push(`${id}: ${run}`);
        enough.abort();
        return { outcome: FAILED };
      },
    });
    const options = { jobs: 1, enough: enough.signal };
    expect(await eventsOf(idsOf("a", "b"), target, options)).toEqual([
      "failure a failed",
      "result a failed",
      "end after 3",
    ]);
    expect(new Set(modes)).toEqual(new Set(["a: first", "a: confirmation"]));
  });

  test.for(["signal", "enough"])("a target that is only observed is graded after %s too", async (by) => {
    const abort = new AbortController();
    abort.abort();
    const target = targetOf({}, { gradesWhenAborted: true });
    expect(await eventsOf(idsOf("a"), target, { [by]: abort.signal })).toEqual([
      "result a passed",
      "end after 3",
    ]);
  });
});
