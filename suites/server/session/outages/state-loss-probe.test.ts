import { describe, expect, test, vi } from "vitest";
import { monotonicNow } from "../../../core/clock.ts";
import { StateLossProbe } from "./state-loss-probe.ts";

/** A target at which so many integrators are unknown. */
function aTarget({ unknown }: { readonly unknown: number }) {
  const remembers = vi.fn(async (least: number) => unknown < least);
  return { remembers, memory: new StateLossProbe(remembers) };
}

const settled = async () => {};

describe("a check is about to fail", () => {
  test("where no connection was lost, nobody is asked: what is refused is at fault", async () => {
    const { memory, remembers } = aTarget({ unknown: 3 });
    expect(await memory.lostSince(monotonicNow(), settled)).toBeUndefined();
    expect(remembers).not.toHaveBeenCalled();
  });

  test("another request lost its connection, and nobody is known any more: no finding", async () => {
    const { memory } = aTarget({ unknown: 3 });
    memory.noteLoss("POST /v1/deliveries");
    expect(await memory.lostSince(monotonicNow(), settled)).toBe(
      "the target was unavailable before it responded to POST /v1/deliveries, and came back immediately without its data",
    );
  });

  test("a connection that was lost long before it began says nothing", async () => {
    const { memory, remembers } = aTarget({ unknown: 3 });
    memory.noteLoss("GET /v1/quotes");
    expect(await memory.lostSince(monotonicNow() + 20_000, settled)).toBeUndefined();
    expect(remembers).not.toHaveBeenCalled();
  });

  test("one identity alone may be refused for a reason of its own", async () => {
    const { memory } = aTarget({ unknown: 1 });
    memory.noteLoss("GET /v1/quotes");
    expect(await memory.lostSince(monotonicNow(), settled)).toBeUndefined();
  });

  test("unless the request that lost its connection, still under way, finds that out", async () => {
    const { memory } = aTarget({ unknown: 1 });
    memory.noteLoss("GET /v1/quotes");
    let own: Promise<string | undefined> | undefined;
    const why = await memory.lostSince(monotonicNow(), async () => {
      own = memory.lostAfterLoss();
    });
    expect(why).toMatch(/without its data/);
    expect(await own).toBe(why);
  });
});

test("what lost its connection together looks together", async () => {
  const { memory, remembers } = aTarget({ unknown: 0 });
  memory.noteLoss("GET /v1/quotes");
  expect(await Promise.all([memory.lostAfterLoss(), memory.lostAfterLoss()])).toEqual([undefined, undefined]);
  expect(remembers).toHaveBeenCalledTimes(1);
  await memory.lostAfterLoss();
  expect(remembers).toHaveBeenCalledTimes(2);
});
