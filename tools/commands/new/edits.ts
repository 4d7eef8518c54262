import { execFileSync } from "node:child_process";
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parse } from "yaml";
import type { Ledger } from "../../../suites/core/contract/ledger.ts";
import { nearest } from "../../nearest.ts";
import { packageFolder } from "../../package.ts";
import type { Output } from "../../terminal/output.ts";
import { UsageError } from "../../usage-error.ts";

export const LEDGER = "openapi/clauses.yaml";
export const CHECKS = "suites/server/checks";
export const MUTANTS = "suites/server/mutants";
export const IDS = "suites/check-ids.txt";

/** The files of a checkout, changed in memory and written together: a mistake that is seen late has changed nothing. */
export class Edits {
  readonly #folder: string;
  readonly #texts = new Map<string, string>();

  constructor(folder: string) {
    this.#folder = folder;
    if (!existsSync(join(folder, LEDGER))) {
      throw new UsageError("new writes into the project's sources: run it in a checkout of the project");
    }
  }

  has(path: string): boolean {
    return this.#texts.has(path) || existsSync(join(this.#folder, path));
  }

  read(path: string): string {
    return this.#texts.get(path) ?? readFileSync(join(this.#folder, path), "utf8");
  }

  write(path: string, text: string): void {
    this.#texts.set(path, text);
  }

  find(glob: string): readonly string[] {
    return globSync(glob, { cwd: this.#folder });
  }

  folders(path: string): readonly string[] {
    return readdirSync(join(this.#folder, path), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
  }

  /** Writes all of it, has it formatted, and makes anew what is generated from it. */
  save(): readonly string[] {
    const paths = [...this.#texts.keys()];
    for (const [path, text] of this.#texts) {
      mkdirSync(dirname(join(this.#folder, path)), { recursive: true });
      writeFileSync(join(this.#folder, path), text);
    }
    const sources = paths.filter((path) => path.endsWith(".ts"));
    const options = { cwd: this.#folder, stdio: "ignore" } as const;
    const bin = (name: string) => join(packageFolder, "node_modules/.bin", name);
    if (sources.length > 0) execFileSync(bin("biome"), ["check", "--write", ...sources], options);
    if (paths.includes(LEDGER))
      execFileSync(process.execPath, [join(this.#folder, "tools/generate/generate.ts")], options);
    return paths;
  }
}

/** Says what was written, and what comes next. */
export function say(output: Output, paths: readonly string[], next: readonly string[]): number {
  output.result(
    [
      "Written",
      ...paths.map((path) => `  ${path}`),
      "Next",
      ...next.map((line, index) => `  ${index + 1}. ${line}`),
    ].join("\n"),
  );
  return 0;
}

/** The end of a line about a name that there isn't. */
export const didYouMean = (id: string, known: readonly string[]): string => {
  const meant = nearest(id, known);
  return meant === undefined ? "." : `; did you mean ${meant}?`;
};

export const readClauses = (edits: Edits): Ledger["clauses"] => parse(edits.read(LEDGER)).clauses;
