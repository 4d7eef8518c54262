import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { AnyCheck } from "../../suites/check.ts";
import { CLAIMS } from "../../suites/claims.ts";
import { grade } from "../../suites/grade.ts";
import { checks } from "../../suites/index.ts";
import { readLedger } from "../../suites/ledger.ts";
import { levelOf } from "../../suites/levels.ts";
import type { Outcome } from "../../suites/outcome.ts";
import { instant, realNow, stopwatch } from "../../suites/target/clock.ts";
import { Redactor } from "../../suites/target/redact.ts";
import type { TargetSettings } from "../../suites/target/settings.ts";
import type { Output } from "../output.ts";
import { NAME, VERSION } from "../package.ts";
import { preflight } from "../preflight.ts";
import { Progress } from "../progress.ts";
import { documentDigest, type Report, reportedCheck, SCHEMA_ID } from "../report/model.ts";
import { painter, renderTerminal } from "../report/terminal.ts";
import { startRun } from "../run.ts";
import { select } from "../selection.ts";
import type { ConformSettings } from "../settings.ts";
import { UsageError } from "../usage-error.ts";

interface OpenTarget {
  readonly settings: TargetSettings;
  close(): Promise<void>;
}

/** The target that is asked for, or the embedded reference server. */
async function openTarget(settings: ConformSettings): Promise<OpenTarget> {
  const { point, answerMs, patienceMs, receiver } = settings;
  const common = { point, answerMs, patienceMs, receiver };
  if (settings.url !== undefined) {
    const { url, credentials, pairingCodes, control } = settings;
    return { settings: { ...common, url, credentials, pairingCodes, control }, close: async () => {} };
  }
  const { startReferenceServer } = await import("../../reference-server/embedded.ts");
  const controlToken = randomBytes(24).toString("base64url");
  const server = await startReferenceServer({ controlToken });
  return {
    settings: {
      ...common,
      url: server.url,
      credentials: [],
      pairingCodes: [],
      control: { url: server.controlUrl, token: controlToken },
    },
    close: () => server.close(),
  };
}

/** The command that repeats a run, without its secrets. */
function commandLine(settings: ConformSettings): string {
  const words = ["npm run conform --"];
  if (settings.url !== undefined) words.push(`--url ${settings.url}`);
  if (settings.control) words.push(`--control-url ${settings.control.url}`);
  words.push(`--seed ${settings.seed}`);
  return words.join(" ");
}

/** Makes a folder and those above it, one by one: Node's recursive mkdir never returns below /proc. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  mkdirSync(folder);
}

function prepareReportFolder(folder: string | undefined): void {
  if (folder === undefined) return;
  try {
    makeFolder(resolve(folder));
    writeFileSync(join(folder, "report.json"), "");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unwritable";
    throw new UsageError(`--report ${folder} can't be written to (${code}): give another folder`);
  }
}

/**
 * Certifies a target and says what was found.
 * @param interrupted resolves when the person ends the run early
 * @returns the exit code
 */
export async function conform(
  settings: ConformSettings,
  output: Output,
  interrupted: Promise<void>,
): Promise<number> {
  const ledger = readLedger();
  const clauses = ledger.clauses.filter(({ subject }) => subject === "server");
  const chosen = select(checks, settings.only, settings.skip);
  const claims =
    settings.claims ?? CLAIMS.filter((claim) => checks.some((check) => levelOf(check, clauses) === claim));
  const claimed = (check: AnyCheck) => claims.includes(levelOf(check, clauses));
  const selected = chosen.filter(claimed);
  if (selected.length === 0) {
    throw new UsageError(`no selected check belongs to the claims ${claims.join(", ")}: widen --claims`);
  }
  prepareReportFolder(settings.report);
  const target = await openTarget(settings);
  try {
    const facts = await preflight(target.settings);
    const startedAt = realNow();
    const start = stopwatch();
    const redact = new Redactor();
    redact.add(settings.control?.token, ...settings.credentials.map(({ client_secret }) => client_secret));
    redact.add(...settings.pairingCodes);
    const embedded = settings.url === undefined ? " (the embedded reference server)" : "";
    output.line(
      `${NAME} ${VERSION}: ${selected.length} checks on ${target.settings.url}${embedded}, claims ${claims.join(", ")}, seed ${settings.seed}`,
    );
    const outcomes = new Map<string, Outcome>();
    const progress = new Progress(output, selected.length);
    const run = startRun(
      {
        target: target.settings,
        claims,
        selected: selected.map(({ id }) => id),
        seed: settings.seed,
        jobs: settings.jobs,
        shuffle: settings.shuffle,
      },
      {
        checkEnded: (id, outcome) => {
          outcomes.set(id, outcome);
          progress.ended(id, outcome.status);
        },
        notice: (text) => progress.notice(redact.text(text)),
      },
    );
    let cutShort = false;
    void interrupted.then(() => {
      cutShort = true;
      run.stop();
    });
    const { requests, faults } = await run.finished;
    progress.clear();
    const complete = !cutShort && chosen.length === checks.length;
    const graded = checks.map((check) => ({
      id: check.id,
      clauses: check.clauses,
      status: claimed(check) ? outcomes.get(check.id)?.status : ("not_claimed" as const),
    }));
    const result = grade({
      clauses,
      checks: graded,
      claims,
      incomplete: !complete,
      strict: settings.strict,
    });
    const broken = faults.length > 0 && !cutShort;
    const report: Report = {
      schema: SCHEMA_ID,
      suite: { name: NAME, version: VERSION, document_sha256: documentDigest() },
      target: { url: target.settings.url, version: facts.version ?? null },
      run: {
        started_at: instant(startedAt),
        duration_ms: Math.round(stopwatch() - start),
        seed: settings.seed,
        jobs: settings.jobs,
        requests,
        complete,
        faults: faults.map((fault) => redact.text(fault)),
      },
      verdict: broken ? "ERROR" : result.verdict,
      exit_code: broken ? 3 : result.exit_code,
      levels: result.levels,
      clauses: result.clauses.map(({ id, level, subject, status, checks: ids }) => ({
        id,
        level,
        subject,
        status,
        checks: ids,
      })),
      checks: checks.map((check) => ({
        ...reportedCheck(check, clauses, outcomes.get(check.id)),
        ...(claimed(check) ? {} : { status: "not_claimed" as const }),
      })),
    };
    if (settings.report !== undefined) {
      writeFileSync(join(settings.report, "report.json"), `${JSON.stringify(report, null, 2)}\n`);
    }
    output.result(renderTerminal(report, clauses, commandLine(settings), painter(output.colours)));
    if (cutShort) output.result("Interrupted: what had ended by then is reported.");
    if (settings.report !== undefined) output.line(`Report: ${join(settings.report, "report.json")}`);
    return report.exit_code;
  } finally {
    await target.close();
  }
}
