/** Lists the slowest test files at the end of a run. */
import type { Reporter, TestModule } from "vitest/node";
import type {} from "./processor-time.ts";

const NAMED = 10;

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;

/** A line for each of the slowest files, slowest first. */
export function slowestFiles(
  files: readonly { readonly file: string; readonly ms: number; readonly processorMs: number }[],
): readonly string[] {
  return files
    .toSorted((one, other) => other.ms - one.ms)
    .slice(0, NAMED)
    .map(
      ({ file, ms, processorMs }) =>
        `${seconds(ms).padStart(9)} ${seconds(processorMs).padStart(9)}  ${file}`,
    );
}

const timesOf = (module: TestModule) => ({
  file: module.relativeModuleId,
  ms: module.diagnostic().duration,
  processorMs: module.meta().processorMs ?? 0,
});

/** A default export, because vitest's settings contain the file's path. */
export default class SlowestFiles implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    if (modules.length < 2) return;
    const lines = slowestFiles(modules.map(timesOf));
    const heading = "\nThe slowest files, with time and CPU time of their thread:";
    console.info([heading, ...lines, ""].join("\n"));
  }
}
