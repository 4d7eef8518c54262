/** The repository's documents and files, for tests of their text. */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { packageFolder } from "../package.ts";

export const read = (path: string): string => readFileSync(join(packageFolder, path), "utf8");

/** The paths of the documents for users, relative to the repository. */
export const documents: readonly string[] = [
  "README.md",
  "CONTRIBUTING.md",
  "CHANGELOG.md",
  "results/README.md",
  ...readdirSync(join(packageFolder, "docs"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
];

const FENCED = /^ *```\w*\n(.*?)^ *```/gms;

/** Inline code in a document. */
export const codeSpans = (markdown: string): readonly string[] =>
  [...markdown.replaceAll(FENCED, "").matchAll(/`([^`]+)`/g)].map(([, span = ""]) =>
    span.replaceAll("\n", " "),
  );

/** Blocks of code in a document. */
export const codeBlocks = (markdown: string): readonly string[] =>
  [...markdown.matchAll(FENCED)].map(([, block = ""]) => block);

/** The paths of the files that Git tracks, or would add. */
export const repositoryFiles = (): readonly string[] =>
  execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
    cwd: packageFolder,
    encoding: "utf8",
  })
    .trimEnd()
    .split("\n")
    .filter((path) => existsSync(join(packageFolder, path)));
