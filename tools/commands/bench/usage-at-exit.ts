/** Preloaded into a measured process. Writes the process's resource usage as JSON when the process exits. */
import { writeFileSync } from "node:fs";

export interface Usage {
  /** The CPU time on all cores, in milliseconds. */
  readonly cpuMs: number;
  readonly peakBytes: number;
}

process.once("exit", () => {
  const { user, system } = process.cpuUsage();
  const usage: Usage = {
    cpuMs: (user + system) / 1000,
    peakBytes: process.resourceUsage().maxRSS * 1024,
  };
  writeFileSync(String(process.env.BENCH_USAGE), JSON.stringify(usage));
});
