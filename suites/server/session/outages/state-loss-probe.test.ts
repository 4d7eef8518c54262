import { describe, expect, test, vi } from "vitest";
import { monotonicNow } from "../../../core/clock.ts";
import { StateLossProbe } from "./state-loss-probe.ts";

/** A target that has forgotten this number of integrators. */
function aTarget({ unknown }: { readonly unknown: number }) {
  const knowsIntegrators = vi.fn(async (least: number) => unknown < least);
  return { knowsIntegrators, memory: new StateLossProbe(knowsIntegrators) };
}

const settled = async () => {};

describe("a check is about to fail", () => {
  test("without a lost connection, nothing is tested, and the failure counts", async () => {
    const { memory, knowsIntegrators } = aTarget({ unknown: 3 });
    expect(await memory.lostSince(monotonicNow(), settled)).toBeUndefined();
    expect(knowsIntegrators).not.toHaveBeenCalled();
  });

  test("if another request lost its connection and all integrators are unknown, the failure doesn't count", async () => {
    const { memory } = aTarget({ unknown: 3 });
    memory.noteLoss("POST /v1/deliveries");
    expect(await memory.lostSince(monotonicNow(), settled)).toBe(
      "the target was unavailable before it responded to POST /v1/deliveries, and came back immediately without its data",
    );
  });

  test("a connection lost long before the check's start is ignored", async () => {
    const { memory, knowsIntegrators } = aTarget({ unknown: 3 });
    memory.noteLoss("GET /v1/quotes");
    expect(await memory.lostSince(monotonicNow() + 20_000, settled)).toBeUndefined();
    expect(knowsIntegrators).not.toHaveBeenCalled();
  });

  test("one unknown integrator alone doesn't prove a loss of data", async () => {
    const { memory } = aTarget({ unknown: 1 });
    memory.noteLoss("GET /v1/quotes");
    expect(await memory.lostSince(monotonicNow(), settled)).toBeUndefined();
  });

  test("unless the pending request that lost its connection detects the loss", async () => {
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

test("requests that lost their connections together share one test", async () => {
  const { memory, knowsIntegrators } = aTarget({ unknown: 0 });
  memory.noteLoss("GET /v1/quotes");
  expect(await Promise.all([memory.lostAfterLoss(), memory.lostAfterLoss()])).toEqual([undefined, undefined]);
  expect(knowsIntegrators).toHaveBeenCalledTimes(1);
  await memory.lostAfterLoss();
  expect(knowsIntegrators).toHaveBeenCalledTimes(2);
});
