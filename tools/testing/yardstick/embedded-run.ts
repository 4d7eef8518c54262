import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monotonicNow } from "../../../suites/core/clock.ts";
import type { Report } from "../../report/model.ts";
import { runCli } from "../processes/cli-process.ts";
import type { Measured } from "./measured.ts";

export const EMBEDDED_RUN = "embedded-run";

/** Measures `conform` on the embedded reference server: results and resources. */
export async function measureEmbeddedRun(): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), "yardstick-"));
  const before = monotonicNow();
  await runCli(["conform", "--quiet", "--seed", "5", "--report", "report"], { cwd: folder });
  const seconds = ((monotonicNow() - before) / 1000).toFixed(1);
  const { verdict, run, checks }: Report = JSON.parse(
    readFileSync(join(folder, "report", "report.json"), "utf8"),
  );
  const passed = checks.filter(({ status }) => status === "passed").length;
  return { verdict, requests: String(run.requests), passed: String(passed), seconds };
}
