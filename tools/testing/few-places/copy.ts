/** Copies the repository's sources, so that a test can change and compile the copy. */
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const COPIED = [
  ..."bin docs examples openapi reference-server sandbox suites tools".split(" "),
  ..."README.md index.ts types.ts package.json tsconfig.json vitest.config.ts".split(" "),
];

/** A file, a text that occurs once in the file, and the text to insert after it. */
export type Insertion = readonly [file: string, after: string, inserted: string];

export class Copy implements Disposable {
  readonly #folder = mkdtempSync(join(tmpdir(), "courier-copy-"));

  constructor() {
    for (const name of COPIED) cpSync(join(ROOT, name), join(this.#folder, name), { recursive: true });
    symlinkSync(join(ROOT, "node_modules"), join(this.#folder, "node_modules"), "dir");
  }

  /** @throws Error unless the text occurs exactly once in its file */
  insert(insertions: readonly Insertion[]): void {
    for (const [file, after, inserted] of insertions) {
      const [head, tail, ...more] = readFileSync(join(this.#folder, file), "utf8").split(after);
      if (tail === undefined || more.length > 0)
        throw new Error(`${file} does not contain this text exactly once: ${after}`);
      writeFileSync(join(this.#folder, file), `${head}${after}${inserted}${tail}`);
    }
  }

  /** Runs a program of the copy with Node, and returns its output. */
  run(program: string, ...options: readonly string[]): string {
    const { stdout, stderr } = spawnSync(process.execPath, [program, ...options], {
      cwd: this.#folder,
      encoding: "utf8",
    });
    return stdout + stderr;
  }

  /** The files in which the compiler reports errors. */
  filesWithErrors(): readonly string[] {
    const options = ["--incremental", "--tsBuildInfoFile", "tsbuildinfo.json", "--pretty", "false"];
    const output = this.run("node_modules/typescript-native/bin/tsc", "--noEmit", ...options);
    const errors = [...output.matchAll(/^(\S+)\(\d+,\d+\): error/gm)];
    return [...new Set(errors.map(([, file = ""]) => file))].toSorted();
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true });
  }
}
