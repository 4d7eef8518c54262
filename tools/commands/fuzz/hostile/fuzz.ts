import { randomFrom } from "../../../../sandbox/simulator/random.ts";
import { faultsIn } from "./judge.ts";
import { ROUNDS, type RoundOptions } from "./rounds.ts";

interface HostileFuzzOptions extends Omit<RoundOptions, "random"> {
  readonly rounds: number;
  /** Called at the end of each round. */
  readonly onRound: (line: string) => void;
}

/**
 * The maximum number of tries of a round. A round without an attack shows nothing, and is repeated with
 * another seed.
 */
const MAX_TRIES = 4;

/**
 * Runs the suite against hostile servers, clients and files.
 * @returns the faults of the runs, each with the seed that repeats it
 */
export async function fuzzHostile(options: HostileFuzzOptions): Promise<readonly string[]> {
  const found: string[] = [];
  for (let round = 0; round < options.rounds; round += 1) {
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const seed = options.seed + round + tries * ROUNDS.length;
      const { name, faults, made } = await playRound({ ...options, seed });
      found.push(...faults.map((fault) => `${name}: ${fault} (--hostile --seed ${seed} --rounds 1)`));
      if (made > 0) break;
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
  const { run, secrets, made, contradictions } = await round.play({
    ...options,
    random: randomFrom("hostile", seed),
  });
  const faults = faultsIn(run, secrets, contradictions);
  const peak = run.peakBytes === undefined ? "" : `, ${Math.round(run.peakBytes / 1024 / 1024)} MB`;
  const seconds = (run.durationMs / 1000).toFixed(1);
  onRound(
    `${name}: ${made} attacks, exit ${run.code}, ${seconds} s${peak}${faults.length > 0 ? "  FOUND" : ""}`,
  );
  return { name, faults, made };
}
