import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import type {} from "../../suites/core/mutation/scope.ts";

/** Sets the scope of the tests. Temporary files go to one folder, which is deleted after the run. */
export default function setup(project: TestProject): () => void {
  const { mode, sequence } = project.config;
  const quick = mode === "quick";
  project.provide("scope", { quick, seed: sequence.seed });
  if (quick)
    console.info(
      `Tests one mutant per check and one variant per suite, chosen by --sequence.seed ${sequence.seed}; npm run test:all tests all.\n`,
    );
  const folder = mkdtempSync(join(tmpdir(), "courier-conform-"));
  // Makes the folder accessible for tests that run a program as another user.
  chmodSync(folder, 0o711);
  process.env.TMPDIR = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
