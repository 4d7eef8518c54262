import { DEFAULT_KINDS } from "../../../suites/core/contract/event-kinds.ts";
import { Redactor } from "../../../suites/core/text/redact.ts";
import { run } from "../../../suites/engine/run.ts";
import { receiverChecks } from "../../../suites/receiver/checks/index.ts";
import { receiverTarget } from "../../../suites/receiver/run-target.ts";
import { secretsOf } from "../../../suites/receiver/session/settings.ts";
import { receiverSuite } from "../../../suites/receiver/suite.ts";
import { certifySubject } from "../../certification/certification.ts";
import type { Interruption } from "../../certification/interruption.ts";
import { judgingFlags, planRun } from "../../certification/plan.ts";
import type { Report } from "../../report/model.ts";
import type { Output } from "../../terminal/output.ts";
import { jobsFor, outlookOf } from "./outlook.ts";
import { receiverPreflight } from "./preflight.ts";
import type { ReceiverSettings } from "./settings.ts";

/** Certifies a webhook receiver and prints the results. */
export async function certifyReceiver(
  settings: ReceiverSettings,
  output: Output,
  interruption: Interruption,
): Promise<Report> {
  const suite = receiverSuite();
  const plan = planRun(suite, settings);
  const { target, seed, configFile, wire } = settings;
  const latency = await receiverPreflight(target, settings.without, interruption.first);
  const jobs = settings.jobs ?? jobsFor(latency);
  const atOnce = latency.burst && jobs > 1 ? jobs : undefined;
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
  const selected = new Set(plan.selected.map(({ id }) => id));
  const checks = receiverChecks.filter(({ id }) => selected.has(id));
  return certifySubject(
    plan,
    {
      url,
      jobs,
      outlook: outlookOf({
        latency,
        jobs,
        share: plan.selected.length / suite.checks.length,
        hasEffects: target.effectsUrl !== undefined,
      }),
      redact,
      repeatCommand: [suite.command, ...words].join(" "),
      run: (signals) => run(checks, receiverTarget(target, { wire, atOnce }), { ...signals, seed, jobs }),
    },
    output,
    interruption,
  );
}
