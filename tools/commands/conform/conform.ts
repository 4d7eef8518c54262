import type { Readable } from "node:stream";
import type { Capability } from "../../../suites/server/capabilities.ts";
import { activeChecks, checks } from "../../../suites/server/checks/index.ts";
import { run } from "../../../suites/server/run.ts";
import { expectedMs, jobsFor, limitWaitMs } from "../../../suites/server/schedule/schedule.ts";
import type { TargetSettings } from "../../../suites/server/session/sample-data/settings.ts";
import { serverSuite } from "../../../suites/server/suite.ts";
import { certifySubject } from "../../certification/certification.ts";
import type { Interruption } from "../../certification/interruption.ts";
import { judgingFlags, type Plan, planRun } from "../../certification/plan.ts";
import { lastDurations } from "../../comparison/last-run.ts";
import type { Report } from "../../report/model.ts";
import { inShell } from "../../settings/in-shell.ts";
import type { Output } from "../../terminal/output.ts";
import { UsageError } from "../../usage-error.ts";
import { blindSpots } from "./blind-spots.ts";
import type { EmbeddedServer } from "./embedded-server.ts";
import { openTarget, secretsOf } from "./open-target.ts";
import { preflight } from "./preflight.ts";
import type { ConformSettings } from "./settings.ts";
import { watch } from "./watch.ts";

/** Runs that are expected to be shorter get no estimate. */
const MIN_ESTIMATE_S = 15;

/** The command that repeats a run on its target, without secrets and without flags that select checks. */
export function repeatCommand(command: string, settings: ConformSettings): string {
  const { variables, words: repeatedWords } = settings.repeated;
  const words = [...variables, command];
  if (settings.image) words.push(`--image ${settings.image.name}`);
  if (settings.url !== undefined) words.push(`--url ${inShell(settings.url)}`);
  if (settings.control) words.push(`--control-url ${inShell(settings.control.url)}`);
  if (settings.configFile !== undefined) words.push(`--config ${inShell(settings.configFile)}`);
  words.push(...repeatedWords, ...judgingFlags(settings), `--seed ${settings.seed}`);
  return words.join(" ");
}

/**
 * A line with the run's estimated duration, by which the user can tell a slow target from a target that hangs.
 * Undefined for a short run.
 */
export function outlookOf(
  { selected }: Pick<Plan, "selected">,
  { control, credentials, pairingCodes }: Pick<TargetSettings, "control" | "credentials" | "pairingCodes">,
  target: { readonly latencyMs: number; readonly jobs: number },
): string | undefined {
  const ids = new Set(selected.map(({ id }) => id));
  const given: readonly Capability[] = [
    "receiver",
    ...(credentials.length > 1 ? (["second-integrator"] as const) : []),
    ...(pairingCodes.length > 0 ? (["pairing"] as const) : []),
  ];
  const selectedActiveChecks = activeChecks.filter(({ id }) => ids.has(id));
  const possible = control
    ? selectedActiveChecks
    : selectedActiveChecks.filter(({ needs }) => needs.every((need) => given.includes(need)));
  const waitS = control ? 0 : limitWaitMs(possible, credentials.length) / 1000;
  const seconds = expectedMs(possible, target) / 1000 + waitS;
  if (seconds < MIN_ESTIMATE_S) return undefined;
  const limits =
    waitS === 0
      ? "without waits for rate limits"
      : `of which ${waitS} s are waits for the rate limit (1,200 requests a minute) of ${credentials.length === 1 ? "one integrator" : `${credentials.length} integrators`}`;
  return `latency ${Math.round(target.latencyMs)} ms; about ${Math.ceil(seconds / 5) * 5} s, ${limits}`;
}

/**
 * Certifies a server and prints the results.
 * @param server the embedded reference server, if it has been started
 */
export async function conform(
  settings: ConformSettings,
  output: Output,
  interruption: Interruption,
  server?: EmbeddedServer,
): Promise<Report> {
  const suite = serverSuite();
  const plan = planRun(suite, settings);
  // The same redactor is used for all output, and learns secrets from the first request on.
  const redact = secretsOf(settings);
  const target = await openTarget(settings, redact, server);
  try {
    redact.add(target.settings.control?.token);
    const { version, tokens, latencyMs } = await preflight(target.settings, redact, interruption.first);
    const unverified = blindSpots(target.settings, plan.claims);
    if (unverified !== undefined) output.line(unverified);
    const { seed, jobs = jobsFor(latencyMs), shuffle, wire } = settings;
    const selected = new Set(plan.selected.map(({ id }) => id));
    const withTokens: TargetSettings = { ...target.settings, secrets: tokens };
    const lastDurationsMs = lastDurations(suite.subject);
    return await certifySubject(
      plan,
      {
        url: target.settings.url,
        remark: target.remark,
        version,
        jobs,
        outlook: outlookOf(plan, target.settings, { latencyMs, jobs }),
        redact,
        repeatCommand: repeatCommand(suite.command, settings),
        run: (signals) =>
          run(
            checks.filter(({ id }) => selected.has(id)),
            withTokens,
            {
              ...signals,
              seed,
              jobs,
              shuffle,
              wire,
              redact,
              lastDurationsMs,
              cleanUp: settings.url !== undefined,
            },
          ),
      },
      output,
      interruption,
    );
  } finally {
    await target.close();
  }
}

/**
 * Certifies a server repeatedly, until the user ends the command.
 * @throws UsageError without a target, because the embedded server doesn't change
 */
export async function watchConform(
  settings: ConformSettings,
  output: Output,
  interruption: Interruption,
  input: Readable,
): Promise<Report> {
  if (settings.url === undefined)
    throw new UsageError("--watch needs --url: the embedded reference server doesn't change");
  return watch({
    url: settings.url,
    input,
    output,
    interrupted: interruption.first,
    run: (only) =>
      conform(
        only === undefined
          ? settings
          : { ...settings, only, skip: [], lastFailed: false, changedSince: undefined, report: undefined },
        output,
        interruption,
      ),
  });
}
