import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["**/*.test.ts"],
    exclude: ["**/node_modules/**", "dist/**"],
    pool: "threads",
    maxWorkers: 2,
    testTimeout: 30_000,
  },
});
