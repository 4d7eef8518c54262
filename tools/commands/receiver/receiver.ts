import { DEFAULT_KINDS } from "../../../suites/core/contract/event-kinds.ts";
import { Redactor } from "../../../suites/core/text/redact.ts";
import { secretsOf } from "../../../suites/receiver/session/settings.ts";
import { receiverSuite } from "../../../suites/receiver/suite.ts";
import { certifySubject } from "../../certification/certification.ts";
import { judgingFlags, planRun } from "../../certification/plan.ts";
import { startRun } from "../../certification/vitest-run.ts";
import type { Report } from "../../report/model.ts";
import type { Output } from "../../terminal/output.ts";
import { outlookOf } from "./outlook.ts";
import { receiverPreflight } from "./preflight.ts";
import type { ReceiverSettings } from "./settings.ts";

/**
 * Certifies a webhook receiver and says what was found.
 * @param interrupted resolves when the person ends the run early
 */
export async function certifyReceiver(
  settings: ReceiverSettings,
  output: Output,
  interrupted: Promise<void>,
): Promise<Report> {
  const suite = receiverSuite();
  const plan = planRun(suite, settings);
  const { target, seed, jobs, configFile, wire } = settings;
  const answerMs = await receiverPreflight(target, settings.without, interrupted);
  const redact = new Redactor();
  redact.add(...secretsOf(target));
  const url = redact.text(target.url);
  const statuses = Object.entries(target.statuses).map(([name, string]) => `${name}=${string}`);
  const words = [
    `--url '${url}'`,
    ...(target.effectsUrl === undefined ? [] : [`--effects ${target.effectsUrl}`]),
    ...(configFile === undefined ? [] : [`--config ${configFile}`]),
    ...(target.eventTypes === DEFAULT_KINDS ? [] : [`--event-types ${target.eventTypes.join(",")}`]),
    ...(statuses.length === 0 ? [] : [`--statuses '${statuses.join(",")}'`]),
    ...judgingFlags(settings),
    `--seed ${seed}`,
  ];
  const receiverRun = { target, selected: plan.selected.map(({ id }) => id), seed, wire };
  return certifySubject(
    plan,
    {
      url,
      jobs,
      outlook: outlookOf(answerMs, plan.selected.length / suite.checks.length),
      redact,
      repeatCommand: [suite.command, ...words].join(" "),
      start: (listener) =>
        startRun({ file: "suites/receiver/receiver.suite.ts", provide: { receiverRun }, jobs }, listener),
    },
    output,
    interrupted,
  );
}
