import * as fc from "fast-check";
import { expect, test } from "vitest";
import { CheckFailure, CheckSkipped } from "../failures/failure.ts";
import { forbiddenObservation } from "../failures/mismatch.ts";
import { Counterexample, runProperty } from "./property.ts";

const numbers = fc.array(fc.integer({ min: 0, max: 1000 }), { maxLength: 12 });
const turn = () => new Promise((resolve) => setImmediate(resolve));

async function counterexampleOf(concurrency: number, seed: number): Promise<unknown> {
  const tried: number[][] = [];
  const error = await runProperty(
    numbers,
    async (input) => {
      tried.push(input);
      await turn();
      if (input.some((number) => number > 600)) throw new CheckFailure(forbiddenObservation("too large"));
    },
    { seed, runs: 30, concurrency },
  ).catch((thrown: unknown) => thrown);
  return error instanceof Counterexample ? error.description : { passed: tried.length };
}

test("concurrent tries find the same counterexample, seed and path as sequential ones", async () => {
  for (const seed of [1, 2, 3, 4]) {
    const sequential = await counterexampleOf(1, seed);
    expect(sequential).toEqual(expect.stringContaining(`seed ${seed}, path`));
    expect(await counterexampleOf(8, seed)).toEqual(sequential);
  }
});

test("as many tries as allowed run concurrently, and each runs once if all pass", async () => {
  let running = 0;
  let most = 0;
  let count = 0;
  await runProperty(
    fc.integer(),
    async () => {
      count += 1;
      running += 1;
      most = Math.max(most, running);
      await turn();
      running -= 1;
    },
    { seed: 1, runs: 10, concurrency: 4 },
  );
  expect({ count, most }).toEqual({ count: 10, most: 4 });
});

test("an input that fails only in concurrent tries is a finding, reported where it failed", async () => {
  let running = 0;
  const calls: string[] = [];
  const onTry = { begin: () => void calls.push("begin"), fail: () => void calls.push("fail") };
  const run = runProperty(
    fc.constant("input"),
    async () => {
      running += 1;
      const alone = running === 1;
      await turn();
      running -= 1;
      if (!alone) throw new CheckFailure(forbiddenObservation("another is there"));
    },
    { seed: 1, runs: 3, concurrency: 3, onTry },
  ).catch((thrown: unknown) => thrown);
  expect(await run).toMatchObject({
    message: "another is there",
    description: expect.stringContaining("(failed only beside other inputs, not alone; seed 1, path 1)"),
  });
  // Steps after the failure aren't its evidence.
  expect(calls).toEqual(["begin", "fail", "fail", "begin", "begin"]);
});

test("a missing prerequisite ends the property unchanged", async () => {
  const run = runProperty(
    fc.integer(),
    async () => {
      await turn();
      throw new CheckSkipped("no such thing here");
    },
    { seed: 1, runs: 5, concurrency: 5 },
  );
  await expect(run).rejects.toBeInstanceOf(CheckSkipped);
});

test("a failed try is repeated alone, and reported there too", async () => {
  const calls: string[] = [];
  const onTry = { begin: () => void calls.push("begin"), fail: () => void calls.push("fail") };
  await runProperty(
    fc.constant("input"),
    async () => {
      await turn();
      throw new CheckFailure(forbiddenObservation("wrong"));
    },
    { seed: 1, runs: 4, concurrency: 4, onTry },
  ).catch(() => {});
  expect(calls).toEqual(["begin", ...Array(4).fill("fail"), "begin", "fail"]);
});
