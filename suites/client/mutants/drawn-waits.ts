import * as fc from "fast-check";
import { backoff, type Reply } from "../reference-client/behaviour.ts";

/** The number of attempts, and the wait in nominal seconds after a number of consecutive failures. */
interface DrawnWaits {
  readonly tries: number;
  readonly wait: (failures: number) => number;
}

/** At least four attempts, so that there are three waits. */
const tries = fc.integer({ min: 4, max: 8 });
const hundredths = (min: number, max: number) =>
  fc.integer({ min: min * 100, max: max * 100 }).map((number) => number / 100);

/** Kinds of waits without jitter that don't grow like 1, 2, 4. */
export const WRONG_WAITS = {
  constant: fc
    .record({ tries, base: hundredths(0.8, 2) })
    .map(({ base, ...rest }) => ({ ...rest, wait: () => base })),
  linear: fc
    .record({ tries, base: hundredths(0.8, 1) })
    .map(({ base, ...rest }) => ({ ...rest, wait: (failures) => base * failures })),
  "slow factor": fc
    .record({ tries, factor: hundredths(1.05, 1.5) })
    .map(({ factor, ...rest }) => ({ ...rest, wait: (failures) => factor ** (failures - 1) })),
  "low limit": fc
    .record({ tries, limit: hundredths(1, 2.5) })
    .map(({ limit, ...rest }) => ({ ...rest, wait: (failures) => Math.min(backoff(failures), limit) })),
  "short base": fc
    .record({ tries, base: hundredths(0.05, 0.3) })
    .map(({ base, ...rest }) => ({ ...rest, wait: (failures) => base * backoff(failures) })),
} satisfies Readonly<Record<string, fc.Arbitrary<DrawnWaits>>>;

const SEED = 20_261_126;

/** A generated number of attempts, and generated waits of a kind. */
export function drawnMutant(name: keyof typeof WRONG_WAITS): {
  readonly tries: number;
  readonly wait: (failures: number, reply: Reply | undefined) => number;
} {
  const [drawn] = fc.sample(WRONG_WAITS[name], { seed: SEED, numRuns: 1 });
  if (!drawn) throw new Error(`no waits were generated for ${name}`);
  return {
    tries: drawn.tries,
    wait: (failures, reply) => Math.max(drawn.wait(failures), reply?.retryAfter ?? 0),
  };
}
