/** The rounds of hostile fuzzing: one per command and attack, and one per command with all attacks. */

import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startReferenceServer } from "../../../../reference-server/embedded.ts";
import { receiverChecks } from "../../../../suites/receiver/checks/index.ts";
import { correctDependencies } from "../../../../suites/receiver/reference-receiver/dependencies.ts";
import { serveReceiver } from "../../../../suites/receiver/reference-receiver/serve.ts";
import { serverSuite } from "../../../../suites/server/suite.ts";
import { ATTACK_NAMES } from "./attacks.ts";
import { ACCESS_FILE, playHostileClient } from "./client-play.ts";
import { CLIENTS, type HostileClient } from "./clients.ts";
import { contradictionsIn, writePactWithMarkedRequests } from "./contract.ts";
import { PACT_FILES } from "./pact-files.ts";
import { type HostileRun, runCommand } from "./run.ts";
import { type ConformingServer, startHostileTarget } from "./target.ts";

/** The parameters of a round that its command depends on. */
interface Drawn {
  readonly attacks: readonly string[];
  readonly seed: number;
  readonly timeoutS: number;
  /** Draws the ids of checks. */
  readonly draw: (ids: readonly string[]) => string;
}

interface Start {
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

interface Victim {
  serve(): Promise<ConformingServer>;
  /** How to start the command on the target at this origin. */
  start(origin: string, conforming: ConformingServer, drawn: Drawn): Start;
}

const SERVER = serverSuite().checks.map(({ id }) => id);
/** Checks of limits wait up to a minute for the next window. Only attacks on that wait need them. */
const WITHOUT_LIMITS = SERVER.filter((id) => !id.startsWith("limits."));
const ABOUT_LIMITS: readonly string[] = ["limited-for-ever", "numbers-without-end"];
const RECEIVER = receiverChecks.map(({ id }) => id);

async function serveService(): Promise<ConformingServer> {
  const { url, controlToken, close } = await startReferenceServer({ reportFault: () => {} });
  return { url, secretsInSettings: [controlToken ?? ""], close };
}

const onService = (
  command: string,
  origin: string,
  { secretsInSettings }: ConformingServer,
  more: readonly string[],
): Start => ({
  args: [command, "--url", origin, "--control-url", `${origin}/control`, ...more],
  environment: { CONFORM_CONTROL_TOKEN: secretsInSettings[0] ?? "" },
});

/** The commands that a hostile server attacks, each with the conforming server whose responses are altered. */
const VICTIMS: Readonly<Record<string, Victim>> = {
  conform: {
    serve: serveService,
    start(origin, conforming, { attacks, seed, timeoutS, draw }) {
      const ids = attacks.every((name) => ABOUT_LIMITS.includes(name)) ? SERVER : WITHOUT_LIMITS;
      const how = ["--report", "report", "--timeout", `${timeoutS}s`, "--seed", String(seed)];
      return onService("conform", origin, conforming, ["--only", draw(ids), ...how]);
    },
  },
  pact: {
    async serve() {
      const service = await serveService();
      const folder = mkdtempSync(join(tmpdir(), "hostile-pact-"));
      const contract = join(folder, "pact.json");
      writePactWithMarkedRequests(contract);
      const close = async () => {
        rmSync(folder, { recursive: true, force: true });
        await service.close();
      };
      return { ...service, contract, close };
    },
    start: (origin, conforming, { timeoutS }) =>
      onService("pact", origin, conforming, [
        ...["--pact", conforming.contract ?? "", "--timeout", `${timeoutS}s`],
      ]),
  },
  receiver: {
    async serve() {
      const secret = `whsec_${randomBytes(24).toString("base64")}`;
      const { url, close } = await serveReceiver(correctDependencies(secret));
      return { url: new URL(url).origin, secretsInSettings: [secret], close };
    },
    start: (origin, { secretsInSettings }, { seed, timeoutS, draw }) => ({
      args: [
        ...["receiver", "--url", `${origin}/hooks`, "--effects", `${origin}/effects`],
        ...["--only", draw(RECEIVER), "--report", "report", "--seed", String(seed)],
        ...["--timeout", `${timeoutS}s`, "--effect-within", `${timeoutS}s`],
      ],
      environment: { CONFORM_WEBHOOK_SECRET: secretsInSettings[0] ?? "" },
    }),
  },
};

/** The default number of checks per round: enough to reach most operations, few enough to end soon. */
const CHECKS = 40;
/** The default response timeout in seconds. It is short, because some attacks use it up each time. */
const TIMEOUT_S = 1;

export interface RoundOptions {
  readonly seed: number;
  readonly random: () => number;
  readonly program: string;
  /** The number of checks drawn per round. */
  readonly checks?: number;
  /** The target's response timeout in seconds. */
  readonly timeoutS?: number;
}

/** The result of a round: its run, the secrets that the output must hide, and the number of attacks. */
interface RoundResult {
  readonly run: HostileRun;
  readonly secrets: ReadonlySet<string>;
  readonly attackCount: number;
  /** Reasons why a Pact contract must not pass; empty if the contract may pass. Undefined for other commands. */
  readonly contradictions?: readonly string[];
}

interface Round {
  readonly name: string;
  play(options: RoundOptions): Promise<RoundResult>;
}

const onHostileTarget =
  (victim: Victim, attacks: readonly string[]): Round["play"] =>
  async ({ seed, random, program, checks = CHECKS, timeoutS = TIMEOUT_S }) => {
    const rate = [0.05, 0.2, 0.6][Math.floor(random() * 3)] ?? 0.2;
    const harmlessResponsesFirst = Math.floor(random() * 4) * 20;
    const draw = (ids: readonly string[]) =>
      Array.from({ length: checks }, () => ids[Math.floor(random() * ids.length)]).join();
    const behaving = await victim.serve();
    const target = await startHostileTarget(behaving, { attacks, rate, harmlessResponsesFirst, random });
    try {
      const start = victim.start(target.url, behaving, { attacks, seed, timeoutS, draw });
      const run = await runCommand({ program, ...start, progress: target.requestCount });
      const attackCount = [...target.attacksByName.values()].reduce((a, b) => a + b, 0);
      const { secrets, contractResponses } = target;
      const contradictions =
        behaving.contract === undefined ? undefined : contradictionsIn(contractResponses);
      return { run, secrets, attackCount, ...(contradictions && { contradictions }) };
    } finally {
      await target.close();
    }
  };

const withHostileClient =
  (attack: HostileClient): Round["play"] =>
  async ({ seed, random, program }) => {
    const secrets = new Set<string>();
    let attackCount = 0;
    const args = ["client", "--env-file", ACCESS_FILE, "--report", "report", "--seed", String(seed)];
    const run = await runCommand({
      program,
      args,
      progress: () => attackCount,
      meanwhile: (running) =>
        playHostileClient(running, attack, {
          random,
          learn: (secret) => void secrets.add(secret),
          progressed: () => {
            attackCount += 1;
          },
        }),
    });
    return { run, secrets, attackCount };
  };

const withHostilePact =
  (name: string): Round["play"] =>
  async ({ program }) => {
    const folder = mkdtempSync(join(tmpdir(), "hostile-pact-"));
    try {
      const file = join(folder, "pact.json");
      PACT_FILES[name]?.(file);
      const run = await runCommand({ program, args: ["pact", "--pact", file], progress: () => 0 });
      return { run, secrets: new Set(), attackCount: 1 };
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };

/** The attacks of rounds on hostile servers: each one alone, then all of them together. */
const SERVER_ATTACKS: readonly (readonly [string, readonly string[]])[] = [
  ...ATTACK_NAMES.map((name) => [name, [name]] as const),
  ["all of them", ATTACK_NAMES],
];

export const ROUNDS: readonly Round[] = [
  ...SERVER_ATTACKS.flatMap(([name, attacks]) =>
    Object.entries(VICTIMS).map(([command, victim]) => ({
      name: `${command}: ${name}`,
      play: onHostileTarget(victim, attacks),
    })),
  ),
  ...Object.entries(CLIENTS).map(([name, attack]) => ({
    name: `client: ${name}`,
    play: withHostileClient(attack),
  })),
  ...Object.keys(PACT_FILES).map((name) => ({ name: `pact file: ${name}`, play: withHostilePact(name) })),
];
