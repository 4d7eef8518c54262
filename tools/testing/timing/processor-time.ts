/** Loaded before each test file: notes what processor time the file's thread took, for the list of the slowest files. */
import process from "node:process";
import { afterEach, beforeAll } from "vitest";

declare module "vitest" {
  interface TaskMeta {
    /** What the file's thread computed from its first test to its last, ms; processes that it started aren't counted. */
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
