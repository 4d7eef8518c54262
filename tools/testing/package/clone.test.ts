import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packageFolder, VERSION } from "../../package.ts";

test("in a clone without a build, the package's program runs the source", () => {
  const program = join(packageFolder, "bin/courier-conform.js");
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, "--version"], {
    encoding: "utf8",
  });
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: `${VERSION}\n`, stderr: "" });
});
