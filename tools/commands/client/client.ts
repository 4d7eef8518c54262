import { clientChecks } from "../../../suites/client/checks/index.ts";
import { clientTarget } from "../../../suites/client/run-target.ts";
import type { Scenario } from "../../../suites/client/session/scenario.ts";
import { scenarioOrder } from "../../../suites/client/session/scenarios.ts";
import { type ClientAccess, ClientSession, type Service } from "../../../suites/client/session/session.ts";
import { clientSuite } from "../../../suites/client/suite.ts";
import { Redactor } from "../../../suites/core/text/redact.ts";
import { run } from "../../../suites/engine/run.ts";
import { certifySubject } from "../../certification/certification.ts";
import type { Interruption } from "../../certification/interruption.ts";
import { judgingFlags, type Plan, planRun } from "../../certification/plan.ts";
import type { Report } from "../../report/model.ts";
import type { Output } from "../../terminal/output.ts";
import { UsageError } from "../../usage-error.ts";
import { AccessNotes, variablesOf } from "./access.ts";
import { declarableLines } from "./declarable.ts";
import { ClientProcess } from "./process.ts";
import { playClient, type StartedHere } from "./run.ts";
import type { ClientSettings } from "./settings.ts";

async function startService(publicUrl: string): Promise<Service> {
  const { startReferenceServer, withTokensForEachStart } = await import(
    "../../../reference-server/embedded.ts"
  );
  const { url, controlUrl, controlToken, close } = await startReferenceServer({
    publicUrl,
    mutate: withTokensForEachStart,
  });
  if (controlToken === null) throw new Error("the embedded server has no control interface");
  return { url, control: { url: controlUrl, token: controlToken }, close };
}

/** What to do with the client so that every check has something to look at. */
function tasks(
  scenarios: readonly Scenario[],
  { envFile, rounds, durationMs }: ClientSettings,
): readonly string[] {
  return [
    "To play:",
    "  1. Link a store with the pairing code, with its coordinates.",
    `  2. Hand over ${ordersFor(scenarios)} orders, some with a ready_at, one of them without coordinates. Each meets a scenario of its own;`,
    "     where one is refused in the end, leave it and go on.",
    "  3. Ask for quotes, change orders and cancel some, if the client does so in earnest.",
    "  4. Catch up: read the list of deliveries to its end.",
    ...(rounds === 1
      ? []
      : [
          `  5. Start the client again, as often as scenarios are left: each start has credentials of its own, which ${envFile ?? "the terminal"}`,
          "     shows as soon as those before are used.",
        ]),
    `Scenarios, in their order: ${scenarios.map(({ name }) => name).join(", ")}.`,
    ...(durationMs === undefined ? ["Ctrl-C ends the run and grades."] : []),
  ];
}

/** Orders that meet a scenario of their own, and don't end the client. */
const ordersFor = (scenarios: readonly Scenario[]): number =>
  Math.max(scenarios.filter(({ target, ends }) => target === "order" && !ends).length, 1);

/** What the run needs from a client that it starts by itself. */
const needsOf = (scenarios: readonly Scenario[]): string =>
  `Needed: a store with its coordinates; ${ordersFor(scenarios)} orders over all starts, one of them without coordinates (or --without unlocated-orders) and one with a time (or --without times); the list of deliveries, read to its end.`;

const portProblem = (error: unknown, port: number): unknown => {
  const code = error instanceof Error && "code" in error ? String(error.code) : undefined;
  return code === undefined
    ? error
    : new UsageError(`the sandbox can't listen on port ${port} (${code}): give another --port`);
};

/** Starts the sandbox, lets an API client play, and says what was found. */
export async function certifyClient(
  settings: ClientSettings,
  output: Output,
  environment: NodeJS.ProcessEnv,
  interruption: Interruption,
): Promise<Report> {
  const plan = planRun(clientSuite(), settings);
  const scenarios = scenarioOrder(settings.seed, settings.scenarios);
  const redact = new Redactor();
  let notice: (text: string) => void = () => {};
  let roundBegan: (round: number) => void = () => {};
  const session = await ClientSession.open({
    port: settings.port,
    scenarios,
    rounds: settings.rounds,
    roundBegan: (round) => roundBegan(round),
    seed: settings.seed,
    timeScale: settings.timeScale,
    redact,
    notice: (text) => notice(text),
    startService,
  }).catch((error: unknown) => {
    throw portProblem(error, settings.port);
  });
  const isStartedHere = settings.command.length > 0;
  const access = new AccessNotes(settings, session, output);
  let client: StartedHere | undefined;
  try {
    const first = await session.openRound({ begins: isStartedHere });
    access.tell(first);
    if (isStartedHere) {
      client = await startHere(first, settings, access, environment);
    } else {
      for (const line of tasks(scenarios, settings)) output.line(line);
      roundBegan = (round) => access.tellNext(round, (text) => notice(text));
    }
    const { durationMs, wire, seed } = settings;
    const checks = checksOf(plan);
    const play = playClient({ session, checks, client, durationMs });
    const report = await certifySubject(
      plan,
      {
        url: session.url,
        remark: " (a sandbox for clients)",
        jobs: 1,
        redact,
        repeatCommand: repeatCommand(plan, settings),
        ...(isStartedHere && { repeatOperands: "-- YOUR-CLIENT-COMMAND", outlook: needsOf(scenarios) }),
        endsByHand: !isStartedHere,
        run: (signals) =>
          run(
            checks,
            clientTarget({
              play: (start) => {
                notice = start.notice;
                return play(start);
              },
              redact,
              wire,
            }),
            { ...signals, seed },
          ),
      },
      output,
      interruption,
    );
    if (isStartedHere && session.evidence().creations.length > 0) {
      const repeat = repeatCommand(plan, settings);
      for (const line of declarableLines(plan.suite, report, repeat)) output.result(line);
    }
    return report;
  } finally {
    await client?.first.stop();
    await access.withdraw();
    await session.close();
  }
}

async function startHere(
  access: ClientAccess,
  { command, timeScale, quiet, rounds }: ClientSettings,
  notes: AccessNotes,
  environment: NodeJS.ProcessEnv,
): Promise<StartedHere> {
  const start = (given: ClientAccess) => {
    if (given !== access) notes.tell(given);
    return ClientProcess.start(command, { ...environment, ...variablesOf(given, timeScale) }, { quiet });
  };
  return { access, first: await start(access), start, rounds };
}

const checksOf = (plan: Plan) =>
  clientChecks.filter(({ id }) => plan.selected.some((selected) => selected.id === id));

/** The command that repeats the run; the client's own command may hold a secret: a word stands in its place. */
function repeatCommand({ suite, settings }: Plan, { seed, port, timeScale, rounds }: ClientSettings): string {
  const words = [suite.command, ...judgingFlags(settings), `--seed ${seed}`];
  if (port !== 0) words.push(`--port ${port}`);
  if (rounds !== undefined) words.push(`--rounds ${rounds}`);
  if (timeScale !== 1) words.push(`--time-scale ${timeScale}`);
  return words.join(" ");
}
