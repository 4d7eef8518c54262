import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { cliPath } from "./processes/cli-process.ts";

// The test sets a hard limit, because Node raises a soft limit.
test.for([64, 256])(
  "with a limit of %i open files, a run reports this machine's limit and the fix",
  (files) => {
    const command = `ulimit -n ${files} && exec "$0" "$1" conform --quiet --seed 5`;
    const { status, stdout, stderr } = spawnSync("sh", ["-c", command, process.execPath, cliPath], {
      encoding: "utf8",
      timeout: 560_000,
    });
    const told = `${stdout}${stderr}`;
    expect(told).toContain("ulimit -n");
    expect(status).toBe(3);
    expect(told).not.toMatch(/undefined|NONCONFORMANT|stopped responding/);
  },
);
