import { expect, test } from "vitest";
import { CheckFailure, CheckSkipped } from "../../core/grading/failures/failure.ts";
import { forbiddenObservation } from "../../core/grading/failures/mismatch.ts";
import { Permits } from "../../core/permits.ts";
import { Concurrent, type Pace, sequential } from "./pace.ts";

const turns = async (count: number): Promise<void> => {
  for (let i = 0; i < count; i += 1) await new Promise((resolve) => setImmediate(resolve));
};

/** Creates work that records how much of it runs at the same time. */
function counted() {
  let inFlight = 0;
  const seen = { most: 0, done: 0 };
  const work = async () => {
    inFlight += 1;
    seen.most = Math.max(seen.most, inFlight);
    await turns(3);
    inFlight -= 1;
    seen.done += 1;
  };
  return { seen, work };
}

const items = Array.from({ length: 30 }, (_, i) => i);

test("sequentially, one delivery follows the other", async () => {
  const { seen, work } = counted();
  await sequential.forEachUntilFailure(items, work);
  expect(seen).toEqual({ most: 1, done: items.length });
});

test("concurrently, the deliveries of all checks together use the permits, and no more", async () => {
  const { seen, work } = counted();
  const pace = new Concurrent(new Permits(8));
  await Promise.all([1, 2, 3].map(() => pace.asOneDelivery(() => pace.forEachUntilFailure(items, work))));
  expect(seen).toEqual({ most: 8, done: 3 * items.length });
});

test("bursts of several checks wait for each other, and each gets its deliveries at once", async () => {
  const pace = new Concurrent(new Permits(8));
  const sizes: number[] = [];
  const burst = async () => {
    const { seen, work } = counted();
    await pace.burst(6, () => Promise.all(items.slice(0, 6).map(work)));
    sizes.push(seen.most);
  };
  await Promise.all(Array.from({ length: 8 }, () => pace.asOneDelivery(burst)));
  expect(sizes).toEqual(Array.from({ length: 8 }, () => 6));
});

test("deliveries of one check and of others use all permits before a burst collects its own", async () => {
  const pace = new Concurrent(new Permits(8));
  const { seen, work } = counted();
  const order: string[] = [];
  const burst = pace.asOneDelivery(() => pace.burst(8, async () => void order.push("burst")));
  const others = [1, 2].map(() =>
    pace.asOneDelivery(() => pace.forEachUntilFailure(items, work)).then(() => order.push("others")),
  );
  await Promise.all([burst, ...others]);
  expect(order).toEqual(["others", "others", "burst"]);
  expect(seen).toEqual({ most: 8, done: 2 * items.length });
});

test("the bursts of a check may each need all permits", async () => {
  const pace = new Concurrent(new Permits(3));
  let bursts = 0;
  const check = () =>
    pace.forEachUntilFailure(items, () =>
      pace.burst(50, async () => {
        await turns(1);
        bursts += 1;
      }),
    );
  await Promise.all([1, 2, 3, 4].map(() => pace.asOneDelivery(check)));
  expect(bursts).toBe(4 * items.length);
});

test.each<[string, Pace, number]>([
  ["sequentially", sequential, 3],
  ["concurrently", new Concurrent(new Permits(2)), 4],
])("%s, nothing begins after a failure", async (_, pace, reached) => {
  let begun = 0;
  const failing = pace.asOneDelivery(() =>
    pace.forEachUntilFailure(items, async (item) => {
      begun += 1;
      await turns(1);
      if (item === 2) throw new Error("it fails");
    }),
  );
  await expect(failing).rejects.toThrow("it fails");
  expect(begun).toBe(reached);
});

test("concurrently, a request that never reached the receiver doesn't hide the failure of one that did", async () => {
  const pace = new Concurrent(new Permits(4));
  const failure = new CheckFailure(
    forbiddenObservation("it went down", { expected: "an answer", actual: "none" }),
  );
  const failing = pace.asOneDelivery(() =>
    pace.forEachUntilFailure([new CheckSkipped("it was down"), failure], async (error) => {
      await turns(1);
      throw error;
    }),
  );
  await expect(failing).rejects.toBe(failure);
});
