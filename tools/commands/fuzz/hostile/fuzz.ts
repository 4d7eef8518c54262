import { randomFrom } from "../../../../sandbox/simulator/random.ts";
import { faultsIn } from "./judge.ts";
import { ROUNDS, type RoundOptions } from "./rounds.ts";

interface HostileFuzzOptions extends Omit<RoundOptions, "random"> {
  readonly rounds: number;
  /** Called with the result at the end of each round. */
  readonly onRound: (line: string) => void;
}

/**
 * The most tries of a round. A round without an attack is repeated with another seed.
 */
const MAX_TRIES = 4;

/**
 * Runs the suite against hostile servers, clients and files.
 * @returns a line for each fault, with the flags that repeat its run
 */
export async function fuzzHostile(options: HostileFuzzOptions): Promise<readonly string[]> {
  const found: string[] = [];
  for (let round = 0; round < options.rounds; round += 1) {
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const seed = options.seed + round + tries * ROUNDS.length;
      const { name, faults, attackCount } = await playRound({ ...options, seed });
      found.push(...faults.map((fault) => `${name}: ${fault} (--hostile --seed ${seed} --rounds 1)`));
      if (attackCount > 0) break;
      if (tries + 1 === MAX_TRIES) found.push(`${name}: no attack in ${MAX_TRIES} rounds`);
    }
  }
  return found;
}

async function playRound(options: HostileFuzzOptions) {
  const { seed, onRound } = options;
  const round = ROUNDS[seed % ROUNDS.length];
  if (round === undefined) throw new Error("there are no rounds");
  const { name } = round;
  const { run, secrets, attackCount, contradictions } = await round.play({
    ...options,
    random: randomFrom("hostile", seed),
  });
  const faults = faultsIn(run, secrets, contradictions);
  const peak = run.peakBytes === undefined ? "" : `, ${Math.round(run.peakBytes / 1024 / 1024)} MB`;
  const seconds = (run.durationMs / 1000).toFixed(1);
  onRound(
    `${name}: ${attackCount} attacks, exit ${run.code}, ${seconds} s${peak}${faults.length > 0 ? "  FOUND" : ""}`,
  );
  return { name, faults, attackCount };
}
