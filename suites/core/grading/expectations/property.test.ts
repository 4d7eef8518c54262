import * as fc from "fast-check";
import { expect, test } from "vitest";
import { CheckFailure, NotTestable } from "../failures/failure.ts";
import { happened } from "../failures/mismatch.ts";
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
      if (input.some((number) => number > 600)) throw new CheckFailure(happened("too large"));
    },
    { seed, runs: 30, concurrency },
  ).catch((thrown: unknown) => thrown);
  return error instanceof Counterexample ? error.description : { passed: tried.length };
}

test("tries beside each other find the counterexample, seed and path that tries in turn find", async () => {
  for (const seed of [1, 2, 3, 4]) {
    const inTurn = await counterexampleOf(1, seed);
    expect(inTurn).toEqual(expect.stringContaining(`seed ${seed}, path`));
    expect(await counterexampleOf(8, seed)).toEqual(inTurn);
  }
});

test("as many tries as are allowed are under way at once, and each is made once where all pass", async () => {
  let under = 0;
  let most = 0;
  let made = 0;
  await runProperty(
    fc.integer(),
    async () => {
      made += 1;
      under += 1;
      most = Math.max(most, under);
      await turn();
      under -= 1;
    },
    { seed: 1, runs: 10, concurrency: 4 },
  );
  expect({ made, most }).toEqual({ made: 10, most: 4 });
});

test("what fails only beside others is a finding", async () => {
  let under = 0;
  const run = runProperty(
    fc.constant("input"),
    async () => {
      under += 1;
      const alone = under === 1;
      await turn();
      under -= 1;
      if (!alone) throw new CheckFailure(happened("another is there"));
    },
    { seed: 1, runs: 3, concurrency: 3 },
  );
  await expect(run).rejects.toThrow("another is there");
});

test("what isn't testable ends the property as it is", async () => {
  const run = runProperty(
    fc.integer(),
    async () => {
      await turn();
      throw new NotTestable("no such thing here");
    },
    { seed: 1, runs: 5, concurrency: 5 },
  );
  await expect(run).rejects.toBeInstanceOf(NotTestable);
});

test("a try that is repeated by itself begins anew and fails once", async () => {
  const told: string[] = [];
  const onTry = { begin: () => void told.push("begin"), fail: () => void told.push("fail") };
  await runProperty(
    fc.constant("input"),
    async () => {
      await turn();
      throw new CheckFailure(happened("wrong"));
    },
    { seed: 1, runs: 4, concurrency: 4, onTry },
  ).catch(() => {});
  expect(told).toEqual(["begin", "begin", "fail"]);
});
