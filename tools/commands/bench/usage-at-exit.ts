/** Loaded before a process that is measured: writes down what processor time it took, in ms, as it ends. */
import { writeFileSync } from "node:fs";

process.once("exit", () => {
  const { user, system } = process.cpuUsage();
  writeFileSync(String(process.env.BENCH_USAGE), String((user + system) / 1000));
});
