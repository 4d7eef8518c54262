import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packageFolder } from "../../../package.ts";

const STRICT = ["--strict", "--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess"];
const NODE = ["--module", "nodenext", "--target", "es2024", "--types", "node"];

/** The compiler's output in a folder without a tsconfig.json. */
function compile(cwd: string, ...args: readonly string[]) {
  const tsc = join(packageFolder, "node_modules/typescript-native/bin/tsc");
  const { status, stdout } = spawnSync(process.execPath, [tsc, ...STRICT, ...NODE, ...args], {
    cwd,
    encoding: "utf8",
  });
  return { status, stdout };
}

test("a client and a receiver compile in strict mode against the packed types", () => {
  const folder = mkdtempSync(join(tmpdir(), "types-"));
  const packed = join(folder, "node_modules/courier-conform");
  mkdirSync(packed, { recursive: true });
  for (const name of ["openapi-fetch", "openapi-typescript-helpers", "standardwebhooks", "@types"]) {
    symlinkSync(join(packageFolder, "node_modules", name), join(folder, "node_modules", name));
  }
  copyFileSync(join(packageFolder, "package.json"), join(packed, "package.json"));
  const emit = ["--declaration", "--emitDeclarationOnly", "--rewriteRelativeImportExtensions"];
  const places = ["--outDir", join(packed, "dist"), "--rootDir", packageFolder];
  const made = compile(folder, ...emit, ...places, join(packageFolder, "types.ts"));
  expect(made).toEqual({ status: 0, stdout: "" });
  const samples = ["client.ts", "receiver.ts"];
  for (const name of samples) copyFileSync(join(import.meta.dirname, name), join(folder, name));
  expect(compile(folder, "--noEmit", "--skipLibCheck", ...samples)).toEqual({ status: 0, stdout: "" });
});
