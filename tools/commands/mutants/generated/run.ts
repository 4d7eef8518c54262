/** Runs the suite on generated mutants, and reports the result of each. */
import { availableParallelism } from "node:os";
import * as fc from "fast-check";
import { forEachConcurrently } from "../../../../suites/core/concurrency.ts";
import { MutantThread } from "./mutant-thread.ts";
import { type GeneratedMutant, type Mutations, sourcesOf } from "./mutations.ts";
import type { MutantResult } from "./tasks.ts";
import { TrialOrder } from "./trial.ts";

export interface Trial {
  readonly mutant: GeneratedMutant;
  /** `unreached`: no check executes its code. */
  readonly result: MutantResult | { readonly kind: "unreached" };
  readonly ms: number;
}

const SERVER = new URL("../../../../reference-server/", import.meta.url).href;

/** @returns a random sample, chosen by the seed, in the original order */
export function sampleOf(mutants: readonly GeneratedMutant[], size: number, seed: number) {
  const length = Math.min(size, mutants.length);
  const drawn = fc.shuffledSubarray([...mutants], { minLength: length, maxLength: length });
  const chosen = new Set(fc.sample(drawn, { seed, numRuns: 1 })[0]);
  return mutants.filter((mutant) => chosen.has(mutant));
}

/**
 * Runs the checks that execute each mutant's code, until one fails.
 * @throws Error if the conforming server fails one of its checks
 */
export async function tryMutants(
  mutations: Mutations,
  mutants: readonly GeneratedMutant[],
  onTrial: (trial: Trial) => void,
): Promise<void> {
  const sources = sourcesOf(mutations, mutants);
  const threads = Array.from(
    { length: availableParallelism() },
    () => new MutantThread({ sources, folder: SERVER }),
  );
  try {
    const order = await orderOf(threads);
    const idle = [...threads];
    await forEachConcurrently(mutants, threads.length, async (mutant) => {
      const { fresh, stages } = order.of(mutant);
      if (stages.length === 0) return onTrial({ mutant, result: { kind: "unreached" }, ms: 0 });
      const thread = idle.pop();
      if (!thread) throw new Error("more mutants in progress than threads");
      const begun = performance.now();
      const result = await thread.judge({ mutant: mutant.id, fresh, stages });
      idle.push(thread);
      if (result.kind === "killed") order.learn(mutant, result.killer);
      onTrial({ mutant, result, ms: Math.round(performance.now() - begun) });
    });
  } finally {
    await Promise.all(threads.map((thread) => thread.close()));
  }
}

/** Runs each check on the conforming server, distributed over the threads, and records the code that it executes. */
async function orderOf(threads: readonly MutantThread[]): Promise<TrialOrder> {
  const checks = (await Promise.all(threads.map((thread) => thread.checks())))[0] ?? [];
  const reaches = await Promise.all(
    threads.map((thread, index) =>
      thread.reach(checks.map(({ id }) => id).filter((_, at) => at % threads.length === index)),
    ),
  );
  const wrong = reaches
    .flatMap(({ ended }) => Object.entries(ended))
    .filter(([, status]) => status !== "passed");
  if (wrong.length > 0) throw new Error(`the conforming server doesn't pass ${wrong.join("; ")}`);
  return new TrialOrder(checks, reaches);
}
