import type { ChildProcess } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { ServerClaim } from "../../../suites/core/contract/claims.ts";
import type { Report } from "../../report/model.ts";
import { conform, type FieldRun, failuresIn, LONGEST_MS } from "./conform.ts";
import { keepBusy, onCore, type ServerProcess, startServerProcess, suspend } from "./machine.ts";
import type { FaultyServerName, FieldServer, FieldServerName } from "./servers.ts";

/**
 * Tests that load on the suite's machine never fails a conforming server, and never hides a fault. The server runs in
 * its own process. FIELD names the cases, separated by commas: `pauses` stops
 * the suite's process three times in a run, and `one-core` runs suite and server on one core with seven loops.
 * `FIELD=pauses,one-core FIELD_ROUNDS=10 npx vitest run tools/testing/field/busy-machine.test.ts`
 */
const groups = (process.env.FIELD ?? "").split(",");
const ROUNDS = Number(process.env.FIELD_ROUNDS ?? 1);
const STOP_MS = 3_600;
/** The time without a retry after which a stop happens anyway. */
const NO_RETRY_MS = 5_000;
const CORE = 0;
const LOOPS = 7;
/** The largest accepted share of skipped MUST clauses on one core, as the median of the rounds. */
const MAX_SKIPPED = 0.05;

interface Case {
  readonly name: FieldServerName | FaultyServerName;
  readonly verdicts: readonly Report["verdict"][];
  /** The claimed levels. Defaults to all levels. */
  readonly claims?: readonly ServerClaim[];
  readonly mostSkipped?: number;
  /** The checks to run. Defaults to all checks. */
  readonly only?: string;
}

const CONFORMING: readonly Case[] = [
  { name: "the reference server", verdicts: ["CONFORMANT", "INCOMPLETE"], mostSkipped: MAX_SKIPPED },
  {
    name: "the independent server",
    verdicts: ["CONFORMANT", "INCOMPLETE"],
    claims: ["api", "events"],
    mostSkipped: MAX_SKIPPED,
  },
];

/** The checks of the retry schedule. They run alone, so that the stops affect them. */
const RETRIES = "retries.*,endpoints.fifteen-seconds";

const settingsFor = ({ port, control }: FieldServer, { claims }: Case) => {
  const url = `http://127.0.0.1:${port}`;
  return { url, control: { url: `${url}/control`, token: control.token }, ...(claims && { claims }) };
};

/** The share of the claimed MUST clauses with a check that a run didn't verify. */
function skippedOf({ levels }: Report): number {
  const counts = Object.values(levels)
    .filter(({ verdict }) => verdict !== "NOT_CLAIMED")
    .map(({ must }) => must);
  const skipped = counts.reduce((sum, { not_verified }) => sum + not_verified, 0);
  return skipped / counts.reduce((sum, { passed, failed }) => sum + passed + failed, skipped);
}

const medianOf = (numbers: readonly number[]): number =>
  numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0;

/**
 * Stops a run's process three times, just before the server retries a webhook: the attempt gets no response, and later
 * attempts look late. If no retry comes within NO_RETRY_MS, the process is stopped anyway.
 */
async function stopAtRetries(child: ChildProcess, server: ServerProcess, round: number): Promise<void> {
  for (const _ of [1, 2, 3]) {
    await pause((round * 700) % 2_000);
    await server.nextRetry(NO_RETRY_MS);
    await suspend(child, STOP_MS);
  }
}

/** The number of characters of a failure that are printed. */
const LONGEST_LINE = 300;

/** Prints the result of a run. */
function printResult(name: string, round: number, report: Report): void {
  const seconds = Math.round(report.run.duration_ms / 1000);
  const skipped = (100 * skippedOf(report)).toFixed(1);
  console.info(`${name}, round ${round}: ${report.verdict} in ${seconds} s, ${skipped} % skipped`);
  for (const line of failuresIn(report))
    console.info(`  ${line.replaceAll(/\s+/g, " ").slice(0, LONGEST_LINE)}`);
}

/** Registers a test for each case, which runs it once per round and judges all results. */
function testRounds(
  cases: readonly Case[],
  core: number | undefined,
  run: (server: ServerProcess, of: Case, round: number) => Promise<FieldRun>,
): void {
  for (const of of cases) {
    const { name, only, verdicts, mostSkipped = 1 } = of;
    test(only ? `${name}, ${only} alone` : name, { timeout: LONGEST_MS * ROUNDS }, async () => {
      const server = await startServerProcess(name, core);
      const busy = keepBusy({ loops: core === undefined ? 0 : LOOPS, core, longestMs: LONGEST_MS * ROUNDS });
      const reports: Report[] = [];
      try {
        for (let round = 1; round <= ROUNDS; round += 1) {
          const { report } = await run(server, of, round);
          printResult(name, round, report);
          reports.push(report);
        }
      } finally {
        await busy.end();
        await server.close();
      }
      const ended = reports.map(({ verdict }) => verdict);
      expect(
        ended.filter((verdict) => !verdicts.includes(verdict)),
        ended.join(", "),
      ).toEqual([]);
      expect(medianOf(reports.map(skippedOf))).toBeLessThanOrEqual(mostSkipped);
    });
  }
}

describe.skipIf(!groups.includes("pauses"))("the suite's process is stopped three times", () => {
  testRounds(
    [
      ...CONFORMING,
      { name: "the reference server", verdicts: ["INCOMPLETE"], only: RETRIES },
      { name: "one whose retries are late", verdicts: ["NONCONFORMANT"] },
      { name: "one whose retries are late", verdicts: ["NONCONFORMANT"], only: RETRIES },
      { name: "one that answers 200 for 201", verdicts: ["NONCONFORMANT"] },
    ],
    undefined,
    async (server, of, round) => {
      const flags = of.only ? ["--only", of.only] : [];
      const { child, ended } = conform(settingsFor(server, of), round, { flags });
      await stopAtRetries(child, server, round);
      return ended;
    },
  );
});

describe.skipIf(!groups.includes("one-core"))("suite and server are on one core with seven loops", () => {
  testRounds(
    [
      ...CONFORMING,
      { name: "one whose retries are late", verdicts: ["NONCONFORMANT", "INCOMPLETE"] },
      { name: "one that answers 200 for 201", verdicts: ["NONCONFORMANT"] },
    ],
    CORE,
    (server, of, round) => conform(settingsFor(server, of), round, { commandPrefix: onCore(CORE) }).ended,
  );
});
