import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Report } from "../../report/model.ts";
import { type LineOptions, openLine } from "../processes/line.ts";
import { conform, failuresIn, LONGEST_MS } from "./conform.ts";
import { keepBusy } from "./machine.ts";
import { startNeighbour } from "./neighbour.ts";
import { type FieldServer, type FieldServerName, fieldServers, handOut } from "./servers.ts";

/**
 * Tests that network faults never fail a conforming server, with servers as found in the field and the command line. A
 * run mostly waits for rate limits, so many run concurrently. Both cores are kept busy, unless FIELD_LOAD=none. Each
 * condition runs on one server, a different one in each round; `FIELD_SERVERS=all FIELD_ROUNDS=10 npm
 * run test:field` tries all of them ten times.
 */
const ROUNDS = Number(process.env.FIELD_ROUNDS ?? 1);
const isEachServer = process.env.FIELD_SERVERS === "all";
const BUSY_MS = 1_200_000 * ROUNDS;

let busy: ReturnType<typeof keepBusy> | undefined;
beforeAll(() => {
  if (process.env.FIELD_LOAD !== "none") busy = keepBusy({ loops: 2, longestMs: BUSY_MS });
});
afterAll(() => busy?.end());

interface Condition {
  readonly servers: readonly FieldServerName[];
  readonly line?: Omit<LineOptions, "port">;
  readonly neighbour?: boolean;
  /** The credentials and pairing codes that the suite gets instead of a control interface. */
  readonly handedOut?: { readonly credentials: number; readonly codes: number };
  readonly runs?: number;
  readonly verdicts: readonly Report["verdict"][];
}

const ALL = ["the reference server", "one with sliding rate windows", "the independent server"] as const;
const TWO_INTEGRATORS = { credentials: 2, codes: 12 };

const conditions: Readonly<Record<string, Condition>> = {
  "credentials alone, twice on the same file": {
    servers: ALL,
    handedOut: TWO_INTEGRATORS,
    runs: 2,
    verdicts: ["CONFORMANT", "INCOMPLETE"],
  },
  "one pair of credentials and one code": {
    servers: ALL,
    handedOut: { credentials: 1, codes: 1 },
    verdicts: ["INCOMPLETE"],
  },
  "an IP address shared with another client": {
    servers: ["the reference server", "one with sliding rate windows"],
    handedOut: TWO_INTEGRATORS,
    line: { oneAddress: true },
    neighbour: true,
    verdicts: ["CONFORMANT", "INCOMPLETE"],
  },
  // The independent server's control interface controls no couriers and no clock.
  "100 ms away": { servers: ALL, line: { latencyMs: 100 }, verdicts: ["CONFORMANT", "INCOMPLETE"] },
  "20 to 300 ms away": {
    servers: ALL,
    line: { latencyMs: [20, 300] },
    verdicts: ["CONFORMANT", "INCOMPLETE"],
  },
  "20 to 300 ms away, credentials alone": {
    servers: ["one with sliding rate windows"],
    line: { latencyMs: [20, 300] },
    handedOut: TWO_INTEGRATORS,
    verdicts: ["CONFORMANT"],
  },
  "200 ms away, from one address": {
    servers: ["the reference server"],
    line: { latencyMs: 200, oneAddress: true },
    verdicts: ["CONFORMANT"],
  },
  "one connection of fifty is reset": {
    servers: ALL,
    line: { resets: 0.02 },
    verdicts: ["CONFORMANT", "INCOMPLETE"],
  },
  "one request of 200 gets a 502": {
    servers: ALL,
    line: { unavailable: 0.005 },
    handedOut: TWO_INTEGRATORS,
    verdicts: ["CONFORMANT", "INCOMPLETE"],
  },
};

const cases = Array.from({ length: ROUNDS }, (_, round) =>
  Object.entries(conditions).flatMap(([name, condition], place) =>
    condition.servers
      .filter((_, turn) => isEachServer || turn === (place + round) % condition.servers.length)
      .map((server) => ({ name, condition, server, round: round + 1 })),
  ),
).flat();

async function setUp(server: FieldServer, { line, neighbour, handedOut }: Condition, seed: number) {
  const way = await openLine({ port: server.port, seed, ...line });
  const foreignRequests = neighbour ? (await handOut(server, { credentials: 1, codes: 0 })).credentials : [];
  const neighbours = foreignRequests.map((credentials) => startNeighbour({ url: way.url, ...credentials }));
  const given = handedOut && (await handOut(server, handedOut));
  const settings = given
    ? { url: way.url, credentials: given.credentials, pairing_codes: given.pairingCodes, claims: ["api"] }
    : { url: way.url, control: { url: `${way.url}/control`, token: server.control.token } };
  return {
    settings,
    async close() {
      await Promise.all(neighbours.map((one) => one.stop()));
      await way.close();
    },
  };
}

describe("conforming servers in the field", { concurrent: true, timeout: LONGEST_MS }, () => {
  test.for(cases)("$name: $server (round $round)", async ({ name, condition, server, round }) => {
    const running = await fieldServers[server]();
    const { settings, close } = await setUp(running, condition, round);
    try {
      for (let run = 1; run <= (condition.runs ?? 1); run += 1) {
        const { report, told } = await conform(settings, round * 10 + run).ended;
        console.info(
          `${name}, ${server}, round ${round}, run ${run}: ${report.verdict} in ${Math.round(report.run.duration_ms / 1000)} s`,
        );
        expect(failuresIn(report), told).toEqual([]);
        expect(condition.verdicts, told).toContain(report.verdict);
      }
    } finally {
      await close();
      await running.close();
    }
  });
});
