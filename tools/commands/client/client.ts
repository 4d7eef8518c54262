import { clientChecks } from "../../../suites/client/checks/index.ts";
import { clientTarget, type Play } from "../../../suites/client/run-target.ts";
import type { Scenario } from "../../../suites/client/session/scenarios/scenario.ts";
import { scenarioOrder } from "../../../suites/client/session/scenarios/scenarios.ts";
import { clientSuite } from "../../../suites/client/suite.ts";
import { Redactor } from "../../../suites/core/text/redact.ts";
import { run } from "../../../suites/engine/run.ts";
import { certifySubject } from "../../certification/certification.ts";
import type { Interruption } from "../../certification/interruption.ts";
import { judgingFlags, type Plan, planRun } from "../../certification/plan.ts";
import type { Report } from "../../report/model.ts";
import type { Output } from "../../terminal/output.ts";
import { declarableLines } from "./declarable.ts";
import { SandboxPlay } from "./sandbox-play.ts";
import type { ClientSettings } from "./settings.ts";

/** The steps by which a client gives every check its evidence. */
function tasks(
  scenarios: readonly Scenario[],
  { envFile, maxStarts, durationMs }: ClientSettings,
): readonly string[] {
  return [
    "Steps for the client:",
    "  1. Link a store with the pairing code, with its coordinates.",
    `  2. Create ${ordersFor(scenarios)} orders, some with a ready_at, one without coordinates. Each gets its own scenario;`,
    "     if one is finally refused, continue with the next.",
    "  3. Ask for quotes, change orders and cancel some, if the client does so in production.",
    "  4. Catch up: read the list of deliveries to its end.",
    ...(maxStarts === 1
      ? []
      : [
          `  5. Restart the client while scenarios are left: each start gets new credentials, which ${envFile ?? "the terminal"}`,
          "     shows once the previous ones have been used.",
        ]),
    `Scenarios, in this order: ${scenarios.map(({ name }) => name).join(", ")}.`,
    ...(durationMs === undefined ? ["Ctrl-C ends the run and grades the client."] : []),
  ];
}

/** The number of orders that the scenarios need, if no scenario ends the client. */
const ordersFor = (scenarios: readonly Scenario[]): number =>
  Math.max(scenarios.filter(({ target, mayExit: ends }) => target === "order" && !ends).length, 1);

/** What the client has to do, for a run that doesn't start it. */
const needsOf = (scenarios: readonly Scenario[]): string =>
  `The client has to: link a store with coordinates; create ${ordersFor(scenarios)} orders over all starts, one without coordinates (or --without orders-without-coordinates) and one with a time (or --without timestamps); read the list of deliveries to its end.`;

/** Starts the sandbox, runs an API client against it, and reports the findings. */
export async function certifyClient(
  settings: ClientSettings,
  output: Output,
  environment: NodeJS.ProcessEnv,
  interruption: Interruption,
): Promise<Report> {
  const plan = planRun(clientSuite(), settings);
  const scenarios = scenarioOrder(settings.seed, settings.scenarios);
  const redact = new Redactor();
  const checks = checksOf(plan);
  const startsClient = settings.command.length > 0;
  let notice: (text: string) => void = () => {};
  let startBegan: (startNumber: number) => void = () => {};
  const openPlay = ({ mayOverlap }: { readonly mayOverlap: boolean }) =>
    SandboxPlay.open(
      { settings, scenarios, mayOverlap, checks, redact, output, environment },
      { startBegan: (startNumber) => startBegan(startNumber), notice: (text) => notice(text) },
    );
  const first = await openPlay({ mayOverlap: mayOverlap(settings) });
  let present = first;
  const { session } = first;
  if (!startsClient) {
    for (const line of tasks(scenarios, settings)) output.line(line);
    startBegan = (startNumber) => first.access.showNext(startNumber, (text) => notice(text));
  }
  const playAgain: Play = async (start) => {
    await first.close();
    start.notice(
      "Running the client's command a second time: a failure counts if it repeats, and checks that a busy machine disturbed are repeated; --no-confirm skips this.",
    );
    present = await openPlay({ mayOverlap: false });
    return present.play(start);
  };
  try {
    const { wire, seed } = settings;
    const report = await certifySubject(
      plan,
      {
        url: session.url,
        remark: " (a sandbox for clients)",
        jobs: 1,
        redact,
        repeatCommand: repeatCommand(plan, settings),
        ...(startsClient && { repeatOperands: "-- YOUR-CLIENT-COMMAND", outlook: needsOf(scenarios) }),
        endsByHand: !startsClient,
        run: (signals) =>
          run(
            checks,
            clientTarget({
              play: (start) => {
                notice = start.notice;
                return first.play(start);
              },
              playAgain: whyNotAgain(settings) ?? playAgain,
              redact,
              wire,
            }),
            // A second run of the command takes as long as the first run, and confirms all failures together.
            { ...signals, seed, leastConfirmationMs: Number.POSITIVE_INFINITY },
          ),
      },
      output,
      interruption,
    );
    if (startsClient && session.evidence().creations.length > 0) {
      const repeat = repeatCommand(plan, settings);
      for (const line of declarableLines(plan.suite, report, repeat)) output.result(line);
    }
    return report;
  } finally {
    await present.close();
  }
}

/**
 * True if two instances of the client may run at once: a second run, in which the instances run one after another, decides
 * about failures, and each instance has its own credentials in its environment.
 */
const mayOverlap = (settings: ClientSettings): boolean =>
  whyNotAgain(settings) === undefined && settings.maxStarts === undefined && settings.envFile === undefined;

/** The reason for not running the client a second time; undefined if the client runs a second time. */
const whyNotAgain = ({ command, confirms }: ClientSettings): string | undefined => {
  if (!confirms) return "--no-confirm was given";
  return command.length === 0 ? "the user starts the client" : undefined;
};

const checksOf = (plan: Plan) =>
  clientChecks.filter(({ id }) => plan.selected.some((selected) => selected.id === id));

/**
 * The command that repeats the run. A placeholder replaces the client's own command, which may contain a
 * secret.
 */
function repeatCommand(
  { suite, settings }: Plan,
  { seed, port, timeScale, maxStarts }: ClientSettings,
): string {
  const words = [suite.command, ...judgingFlags(settings), `--seed ${seed}`];
  if (port !== 0) words.push(`--port ${port}`);
  if (maxStarts !== undefined) words.push(`--max-starts ${maxStarts}`);
  if (timeScale !== 1) words.push(`--time-scale ${timeScale}`);
  return words.join(" ");
}
