/** Preloaded into a measured process. Writes its resource usage as JSON when it exits. */
import { writeFileSync } from "node:fs";

export interface Usage {
  /** On all cores, ms. */
  readonly cpuMs: number;
  /** Peak memory in bytes. */
  readonly mostBytes: number;
}

process.once("exit", () => {
  const { user, system } = process.cpuUsage();
  const usage: Usage = {
    cpuMs: (user + system) / 1000,
    mostBytes: process.resourceUsage().maxRSS * 1024,
  };
  writeFileSync(String(process.env.BENCH_USAGE), JSON.stringify(usage));
});
