/** The commands that a hostile server attacks, each with the conforming server whose responses are altered. */
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startReferenceServer } from "../../../../reference-server/embedded.ts";
import { receiverChecks } from "../../../../suites/receiver/checks/index.ts";
import { correctDependencies } from "../../../../suites/receiver/reference-receiver/dependencies.ts";
import { serveReceiver } from "../../../../suites/receiver/reference-receiver/serve.ts";
import { serverSuite } from "../../../../suites/server/suite.ts";
import { writePactWithMarkedRequests } from "./contract.ts";
import type { ConformingServer } from "./target.ts";

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

export interface Victim {
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

export const VICTIMS: Readonly<Record<string, Victim>> = {
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
