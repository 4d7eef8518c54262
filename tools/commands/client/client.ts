import { rmSync } from "node:fs";
import { clientChecks } from "../../../suites/client/checks/index.ts";
import { playedBy, type Scenario } from "../../../suites/client/session/scenarios.ts";
import { type ClientAccess, ClientSession, type Service } from "../../../suites/client/session/session.ts";
import { clientSuite } from "../../../suites/client/suite.ts";
import { Redactor } from "../../../suites/core/redact.ts";
import { certifySubject } from "../../certification/certification.ts";
import { type Plan, planRun } from "../../certification/plan.ts";
import type { Run, RunListener } from "../../certification/vitest-run.ts";
import type { Report } from "../../report/model.ts";
import type { Output } from "../../terminal/output.ts";
import { UsageError } from "../../usage-error.ts";
import { writeEnvFile } from "./env-file.ts";
import { ClientProcess } from "./process.ts";
import { runClient } from "./run.ts";
import type { ClientSettings } from "./settings.ts";

async function startService(publicUrl: string): Promise<Service> {
  const { startReferenceServer } = await import("../../../reference-server/embedded.ts");
  const { url, controlUrl, controlToken, close } = await startReferenceServer({ publicUrl });
  if (controlToken === null) throw new Error("the embedded server has no control interface");
  return { url, control: { url: controlUrl, token: controlToken }, close };
}

/** What the client is told: in its environment, in a file, or on the terminal. */
const variablesOf = (access: ClientAccess, timeScale: number): Readonly<Record<string, string>> => ({
  BASE_URL: access.baseUrl,
  CLIENT_ID: access.clientId,
  CLIENT_SECRET: access.clientSecret,
  PAIRING_CODE: access.pairingCode,
  TIME_SCALE: String(timeScale),
});

const linesOf = (variables: Readonly<Record<string, string>>): string =>
  Object.entries(variables)
    .map(([name, value]) => `${name}=${value}`)
    .join("\n");

/** What to do with the client so that every check has something to look at. */
function tasks(scenarios: readonly Scenario[]): readonly string[] {
  const orders = scenarios.filter(({ target }) => target === "order");
  return [
    "To play:",
    "  1. Link a store with the pairing code, with its coordinates.",
    `  2. Hand over ${Math.max(orders.length, 1)} orders, some with a ready_at, one of them without coordinates. Each meets a scenario of its own;`,
    "     where one is refused in the end, leave it and go on.",
    "  3. Catch up: read the list of deliveries to its end.",
    `Scenarios, in their order: ${scenarios.map(({ name }) => name).join(", ")}.`,
  ];
}

const portProblem = (error: unknown, port: number): unknown => {
  const code = error instanceof Error && "code" in error ? String(error.code) : undefined;
  return code === undefined
    ? error
    : new UsageError(`the sandbox can't listen on port ${port} (${code}): give another --port`);
};

/**
 * Starts the sandbox, lets an API client play, and says what was found.
 * @param interrupted resolves when the person ends the run
 */
export async function certifyClient(
  settings: ClientSettings,
  output: Output,
  environment: NodeJS.ProcessEnv,
  interrupted: Promise<void>,
): Promise<Report> {
  const plan = planRun(clientSuite(), settings);
  const scenarios = playedBy(settings.seed, settings.scenarios);
  const redact = new Redactor();
  let notice: (text: string) => void = () => {};
  const session = await ClientSession.open({
    port: settings.port,
    scenarios,
    seed: settings.seed,
    timeScale: settings.timeScale,
    redact,
    notice: (text) => notice(text),
    startService,
  }).catch((error: unknown) => {
    throw portProblem(error, settings.port);
  });
  const variables = variablesOf(session.access, settings.timeScale);
  let client: ClientProcess | undefined;
  try {
    if (settings.envFile !== undefined) writeEnvFile(settings.envFile, variables);
    if (settings.command.length === 0) {
      output.result(
        settings.envFile === undefined
          ? linesOf(variables)
          : `Address and credentials are in ${settings.envFile} until the run ends.`,
      );
      for (const line of tasks(scenarios)) output.line(line);
      if (settings.durationMs === undefined) output.line("Ctrl-C ends the run and grades.");
    } else {
      client = await ClientProcess.start(
        settings.command,
        { ...environment, ...variables },
        { quiet: settings.quiet },
      );
    }
    const parts = { session, checks: checksOf(plan), client, durationMs: settings.durationMs, redact };
    return await certifySubject(
      plan,
      {
        url: session.access.baseUrl,
        remark: " (a sandbox for clients)",
        jobs: 1,
        redact,
        repeatCommand: repeatCommand(plan, settings),
        endsByHand: settings.command.length === 0,
        start(listener: RunListener): Run {
          notice = (text) => listener.notice(text);
          return runClient(parts, listener);
        },
      },
      output,
      interrupted,
    );
  } finally {
    await client?.stop();
    await session.close();
    // What stands in it opens nothing any more.
    if (settings.envFile !== undefined) rmSync(settings.envFile, { force: true });
  }
}

const checksOf = (plan: Plan) =>
  clientChecks.filter(({ id }) => plan.selected.some((selected) => selected.id === id));

/** The command that repeats the run; the client's own command may hold a secret, and stays out. */
function repeatCommand({ suite }: Plan, { seed, timeScale }: ClientSettings): string {
  const words = [suite.command, `--seed ${seed}`];
  if (timeScale !== 1) words.push(`--time-scale ${timeScale}`);
  return words.join(" ");
}
