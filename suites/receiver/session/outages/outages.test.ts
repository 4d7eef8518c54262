import { expect, test } from "vitest";
import { ReceiverOutages } from "./outages.ts";

/** A receiver whose probes are answered by the test, and the notices of its outages. */
function probed() {
  const probes: ((listens: boolean) => void)[] = [];
  const notices: string[] = [];
  const listens = () => {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    probes.push(resolve);
    return promise;
  };
  const outages = new ReceiverOutages({ listens, notice: (line) => notices.push(line), returnMs: 60_000 });
  const answer = async (index: number, listening: boolean) => {
    await expect.poll(() => probes.length).toBeGreaterThan(index);
    probes[index]?.(listening);
  };
  return { outages, notices, answer };
}

test("a receiver that listens was never down", async () => {
  const { outages, notices, answer } = probed();
  const passed = outages.pass(() => ["a request"]);
  await answer(0, true);
  expect(await passed).toBe("never");
  expect(outages.all).toEqual([]);
  expect(notices).toEqual([]);
});

test("requests that fail in one outage share it", async () => {
  const { outages, notices, answer } = probed();
  const passed = [outages.pass(() => ["one request", "another"]), outages.pass(() => ["another"])];
  await answer(0, false);
  await answer(1, false);
  await answer(2, true);
  expect(await Promise.all(passed)).toEqual(["back", "back"]);
  expect(outages.all).toHaveLength(1);
  expect(notices).toEqual([
    expect.stringMatching(
      /^the receiver went down at one request, or at one of 1 concurrent ones, and was back /,
    ),
  ]);
});

test("a probe that failed before the receiver was back belongs to the outage that has ended", async () => {
  const { outages, answer } = probed();
  const first = outages.pass(() => ["one request"]);
  const second = outages.pass(() => ["another"]);
  await answer(0, false);
  await answer(2, true);
  expect(await first).toBe("back");
  await answer(1, false);
  expect(await second).toBe("back");
  expect(outages.all).toHaveLength(1);
});
