import { randomFrom } from "../../../../sandbox/simulator/random.ts";
import { serverSuite } from "../../../../suites/server/suite.ts";
import { ATTACK_NAMES } from "./attacks.ts";
import { faultsIn } from "./judge.ts";
import { runOnTarget } from "./run.ts";
import { startHostileTarget } from "./target.ts";

/** The default number of checks per round: enough to reach most operations, few enough to end soon. */
const CHECKS = 40;
/** The target's default response timeout in seconds: some attacks use it up each time. */
const TIMEOUT_S = 1;

const ALL = serverSuite().checks.map(({ id }) => id);
/** Checks of limits wait up to a minute for the next window. Only attacks on that wait need them. */
const WITHOUT_LIMITS = ALL.filter((id) => !id.startsWith("limits."));
const ABOUT_LIMITS: readonly string[] = ["limited-for-ever", "numbers-without-end"];

export interface HostileFuzzOptions {
  readonly seed: number;
  readonly rounds: number;
  /** The program of the command line. */
  readonly program: string;
  /** The number of checks drawn per round. */
  readonly checks?: number;
  /** The target's response timeout in seconds. */
  readonly timeoutS?: number;
  /** Called at the end of each round. */
  readonly onRound: (line: string) => void;
}

/** The attacks of a round: first each one alone, then all of them together. */
const attacksOf = (round: number): readonly string[] => {
  const one = ATTACK_NAMES[round % (ATTACK_NAMES.length + 1)];
  return one === undefined ? ATTACK_NAMES : [one];
};

/** A round without an attack shows nothing: it is played again with another seed, so many times. */
const MOST_TRIES = 4;

/**
 * Runs the suite against hostile targets.
 * @returns the faults of the runs, each with the seed that repeats it
 */
export async function fuzzHostile(options: HostileFuzzOptions): Promise<readonly string[]> {
  const found: string[] = [];
  for (let round = 0; round < options.rounds; round += 1) {
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const seed = options.seed + round + tries * (ATTACK_NAMES.length + 1);
      const { faults, made } = await playRound(seed, options);
      found.push(...faults.map((fault) => `${fault} (--hostile --seed ${seed} --rounds 1)`));
      if (made > 0) break;
      if (tries + 1 === MOST_TRIES)
        found.push(`${nameOf(attacksOf(seed))}: no attack in ${MOST_TRIES} rounds`);
    }
  }
  return found;
}

const nameOf = ([first = "", ...others]: readonly string[]): string =>
  others.length > 0 ? "all of them" : first;

async function playRound(
  seed: number,
  options: HostileFuzzOptions,
): Promise<{ readonly faults: readonly string[]; readonly made: number }> {
  const random = randomFrom("hostile", seed);
  const attacks = attacksOf(seed);
  const rate = [0.05, 0.2, 0.6][Math.floor(random() * 3)] ?? 0.2;
  const peaceful = Math.floor(random() * 4) * 20;
  const ids = attacks.every((name) => ABOUT_LIMITS.includes(name)) ? ALL : WITHOUT_LIMITS;
  const drawn = Array.from(
    { length: options.checks ?? CHECKS },
    () => ids[Math.floor(random() * ids.length)],
  );
  const target = await startHostileTarget({ attacks, rate, peaceful, random });
  try {
    const timeout = `${options.timeoutS ?? TIMEOUT_S}s`;
    const args = ["--only", drawn.join(), "--timeout", timeout, "--seed", String(seed)];
    const run = await runOnTarget(target, { program: options.program, args });
    const what = nameOf(attacks);
    const faults = faultsIn(run, target.secrets).map((fault) => `${what}: ${fault}`);
    const made = [...target.made.values()].reduce((sum, count) => sum + count, 0);
    const peak = run.peakBytes === undefined ? "" : `, ${Math.round(run.peakBytes / 1024 / 1024)} MB`;
    const seconds = (run.durationMs / 1000).toFixed(1);
    options.onRound(
      `${what}: ${made} attacks, exit ${run.code}, ${seconds} s${peak}${faults.length > 0 ? "  FOUND" : ""}`,
    );
    return { faults, made };
  } finally {
    await target.close();
  }
}
