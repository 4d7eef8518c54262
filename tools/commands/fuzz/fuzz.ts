import type { Output } from "../../terminal/output.ts";
import { UsageError } from "../../usage-error.ts";

export interface FuzzFlags {
  requests?: string;
  seed?: string;
  hostile?: boolean;
  gates?: string;
  rounds?: string;
}

const DEFAULT_REQUESTS = 20_000;
const MAX_SEEDS = 2 ** 31;

function whole(flag: string, value: string, least: number): number {
  if (/^\d{1,10}$/.test(value) && Number(value) >= least) return Number(value);
  throw new UsageError(`--${flag} takes a whole number of at least ${least}, not ${value}`);
}

const seedOf = ({ seed }: FuzzFlags): number =>
  whole("seed", seed ?? String(Math.floor(Math.random() * MAX_SEEDS)), 0);

/** Runs the checks on servers with faults that only occur for certain values. */
async function runGates(count: string, flags: FuzzFlags, output: Output): Promise<number> {
  const gates = whole("gates", count, 1);
  const seed = seedOf(flags);
  const { tryGates } = await import("./gates/run.ts");
  const results = await tryGates({
    seed,
    gates,
    onStatus: (line) => output.status(line),
    onResult({ gate, ...ended }) {
      output.line(`${ended.status.padEnd(7)} ${gate.fault}`);
      if (ended.status === "caught") output.line(`        by ${ended.by}`);
    },
  });
  const counts = (["caught", "missed", "unmet"] as const).map(
    (wanted) => results.filter(({ status }) => status === wanted).length,
  );
  const [caught, missed, unmet] = counts;
  output.result(
    `\n${gates} generated faults: ${caught} caught, ${missed} triggered but missed, ${unmet} never triggered (seed ${seed})`,
  );
  return 0;
}

/**
 * Runs the suite against hostile servers, clients and contracts.
 * @returns 0 if it withstands them, else 1
 */
async function runHostile(flags: FuzzFlags, output: Output): Promise<number> {
  const { ROUNDS } = await import("./hostile/rounds.ts");
  const rounds = whole("rounds", flags.rounds ?? String(ROUNDS.length), 1);
  const seed = seedOf(flags);
  const [, program = ""] = process.argv;
  const { fuzzHostile } = await import("./hostile/fuzz.ts");
  const onRound = (line: string) => output.line(line);
  const found = await fuzzHostile({ seed, rounds, program, onRound });
  for (const fault of found) output.result(`FOUND  ${fault}`);
  if (found.length === 0) {
    output.result(
      `\n${rounds} runs on hostile servers, clients and contracts: none used more than 1 GB or exceeded its deadline; no control character, no secret and no verdict CONFORMANT in the output (seed ${seed})`,
    );
  }
  return found.length === 0 ? 0 : 1;
}

/**
 * Fuzzes an embedded reference server with sequences of valid, nearly valid and random requests.
 * @returns 0 if every response fits the document and none is a 5xx, else 1
 */
export async function runFuzz(flags: FuzzFlags, output: Output): Promise<number> {
  const [first, second] = (["hostile", "gates", "requests"] as const).filter(
    (flag) => flags[flag] !== undefined,
  );
  if (second !== undefined)
    throw new UsageError(`--${first} and --${second} exclude each other: give one of them`);
  if (flags.hostile) return runHostile(flags, output);
  if (flags.rounds !== undefined) throw new UsageError("--rounds needs --hostile");
  if (flags.gates !== undefined) return runGates(flags.gates, flags, output);
  const wanted = whole("requests", flags.requests ?? String(DEFAULT_REQUESTS), 1);
  const seed = seedOf(flags);
  const { fuzz } = await import("./fuzzer.ts");
  const { startForFuzzing } = await import("./server.ts");
  const counts = new Map<string, Map<number, number>>();
  let answered = 0;
  const server = await startForFuzzing({ reportFault: (error) => output.result(`fault: ${String(error)}`) });
  try {
    const { requests, finding } = await fuzz(server, {
      requests: wanted,
      seed,
      onAnswer(operation, status) {
        const statuses = counts.get(operation) ?? new Map<number, number>();
        counts.set(operation, statuses.set(status, (statuses.get(status) ?? 0) + 1));
        answered++;
        if (answered % 1000 === 0) output.status(`${answered} of ${wanted} requests`);
      },
    });
    output.status("");
    for (const [operation, statuses] of [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
      const each = [...statuses]
        .toSorted(([a], [b]) => a - b)
        .map(([status, count]) => `${status}: ${count}`);
      output.line(`${operation.padEnd(22)}${each.join("  ")}`);
    }
    if (finding !== undefined) output.result(`\nFOUND after ${requests} requests:\n${finding}`);
    else output.result(`\n${requests} requests, no 5xx, every response fits the document (seed ${seed})`);
    return finding === undefined ? 0 : 1;
  } finally {
    await server.close();
  }
}
