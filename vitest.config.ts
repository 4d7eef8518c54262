import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["**/*.test.ts"],
    exclude: ["**/node_modules/**", "dist/**"],
    pool: "threads",
    maxWorkers: 2,
    // Ends what hangs, and asserts no speed: whole processes on a busy machine take their time.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
