/** Loaded before each test file: records the CPU time of the file's thread for the list of slow files. */
import process from "node:process";
import { afterEach, beforeAll } from "vitest";

declare module "vitest" {
  interface TaskMeta {
    /**
     * The CPU time of the file's thread from its first test to its last, in milliseconds; child processes are
     * excluded.
     */
    processorMs?: number;
  }
}

let before = process.threadCpuUsage();
beforeAll(() => {
  before = process.threadCpuUsage();
});
afterEach(({ task: { file } }) => {
  const { user, system } = process.threadCpuUsage(before);
  file.meta.processorMs = (user + system) / 1000;
});
