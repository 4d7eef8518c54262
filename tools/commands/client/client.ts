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

/** Tells the operator what to do so that every check gets evidence. */
function tasks(
  scenarios: readonly Scenario[],
  { envFile, maxStarts, durationMs }: ClientSettings,
): readonly string[] {
  return [
    "To play:",
    "  1. Link a store with the pairing code, with its coordinates.",
    `  2. Hand over ${ordersFor(scenarios)} orders, some with a ready_at, one of them without coordinates. Each meets a scenario of its own;`,
    "     where one is refused in the end, leave it and go on.",
    "  3. Ask for quotes, change orders and cancel some, if the client does so in earnest.",
    "  4. Catch up: read the list of deliveries to its end.",
    ...(maxStarts === 1
      ? []
      : [
          `  5. Start the client again, as often as scenarios are left: each start has credentials of its own, which ${envFile ?? "the terminal"}`,
          "     shows as soon as those before are used.",
        ]),
    `Scenarios, in their order: ${scenarios.map(({ name }) => name).join(", ")}.`,
    ...(durationMs === undefined ? ["Ctrl-C ends the run and grades."] : []),
  ];
}

/** The number of orders that the scenarios need, if no scenario ends the client. */
const ordersFor = (scenarios: readonly Scenario[]): number =>
  Math.max(scenarios.filter(({ target, ends }) => target === "order" && !ends).length, 1);

/** The requirements of scenarios that the run can't start a client for. */
const needsOf = (scenarios: readonly Scenario[]): string =>
  `Needed: a store with its coordinates; ${ordersFor(scenarios)} orders over all starts, one of them without coordinates (or --without orders-without-coordinates) and one with a time (or --without timestamps); the list of deliveries, read to its end.`;

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
  const isStartedHere = settings.command.length > 0;
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
  if (!isStartedHere) {
    for (const line of tasks(scenarios, settings)) output.line(line);
    startBegan = (startNumber) => first.access.tellNext(startNumber, (text) => notice(text));
  }
  const playAgain: Play = async (start) => {
    await first.close();
    start.notice(
      "Running the client's command a second time: what failed counts when it repeats, and what a busy machine hid may show; --no-confirm leaves that out.",
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
        ...(isStartedHere && { repeatOperands: "-- YOUR-CLIENT-COMMAND", outlook: needsOf(scenarios) }),
        endsByHand: !isStartedHere,
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
            // The second run of the command takes as long as the first, and confirms all failures together.
            { ...signals, seed, leastConfirmationMs: Number.POSITIVE_INFINITY },
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
    await present.close();
  }
}

/**
 * True if two instances of the client may run at once: a second run, with one at a time, decides about failures,
 * and each instance has its own credentials in its environment.
 */
const mayOverlap = (settings: ClientSettings): boolean =>
  whyNotAgain(settings) === undefined && settings.maxStarts === undefined && settings.envFile === undefined;

/** Why the client isn't run a second time; undefined if it is. */
const whyNotAgain = ({ command, confirms }: ClientSettings): string | undefined => {
  if (!confirms) return "--no-confirm was given";
  return command.length === 0 ? "the client is started elsewhere" : undefined;
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
