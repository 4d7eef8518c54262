import { randomFrom } from "../../../../sandbox/simulator/random.ts";
import { serverSuite } from "../../../../suites/server/suite.ts";
import { ATTACK_NAMES } from "./attacks.ts";
import { faultsIn } from "./judge.ts";
import { runOnTarget } from "./run.ts";
import { startHostileTarget } from "./target.ts";

/** Checks of a round, where nothing is said: enough to meet most operations, few enough to end soon. */
const CHECKS = 40;
/** Seconds that a target has to answer, where nothing is said: some attacks use them up each time. */
const TIMEOUT_S = 1;
/** What a run may take that waits for some answers of which each goes on for twice its time. */
const DEADLINE_MS = 240_000;

export interface HostileFuzzOptions {
  readonly seed: number;
  readonly rounds: number;
  /** The command line's own program. */
  readonly program: string;
  /** How many checks a round draws. */
  readonly checks?: number;
  /** Seconds that the target has to answer. */
  readonly timeoutS?: number;
  /** Told of each round as it ends. */
  readonly onRound: (line: string) => void;
}

/** Attacks of a round: one alone at first, then all of them together. */
const attacksOf = (round: number): readonly string[] => {
  const one = ATTACK_NAMES[round % (ATTACK_NAMES.length + 1)];
  return one === undefined ? ATTACK_NAMES : [one];
};

/**
 * Lets hostile targets play against the suite.
 * @returns what a run should not have come to, each with the seed that repeats it
 */
export async function fuzzHostile(options: HostileFuzzOptions): Promise<readonly string[]> {
  const found: string[] = [];
  const timeout = `${options.timeoutS ?? TIMEOUT_S}s`;
  const ids = serverSuite().checks.map(({ id }) => id);
  for (let round = 0; round < options.rounds; round += 1) {
    const seed = options.seed + round;
    const random = randomFrom("hostile", seed);
    const attacks = attacksOf(seed);
    const rate = [0.05, 0.2, 0.6][Math.floor(random() * 3)] ?? 0.2;
    const peaceful = Math.floor(random() * 4) * 20;
    const only = Array.from(
      { length: options.checks ?? CHECKS },
      () => ids[Math.floor(random() * ids.length)],
    ).join();
    const target = await startHostileTarget({ attacks, rate, peaceful, random });
    try {
      const args = ["--only", only, "--timeout", timeout, "--seed", String(seed)];
      const run = await runOnTarget(target, { program: options.program, args, deadlineMs: DEADLINE_MS });
      const faults = faultsIn(run, target.secrets);
      const made = [...target.made.values()].reduce((sum, count) => sum + count, 0);
      const peak = run.peakBytes === undefined ? "" : `, ${Math.round(run.peakBytes / 1024 / 1024)} MB`;
      const what = attacks.length === 1 ? attacks[0] : "all of them";
      options.onRound(
        `${what}: ${made} attacks, exit ${run.code}, ${(run.durationMs / 1000).toFixed(1)} s${peak}${faults.length > 0 ? "  FOUND" : ""}`,
      );
      found.push(...faults.map((fault) => `${what}: ${fault} (--hostile --seed ${seed} --rounds 1)`));
    } finally {
      await target.close();
    }
  }
  return found;
}
