import { existsSync } from "node:fs";
import { join, matchesGlob } from "node:path";
import { expect, test } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { ALL_KINDS } from "../../suites/core/contract/event-kinds.ts";
import { packageFolder } from "../package.ts";
import { REPORT_FILES, SIGNED_FILE } from "../report/files.ts";
import { codeSpans, documents, read, repositoryFiles } from "./documents.ts";

const files = repositoryFiles();
const isThere = (path: string): boolean =>
  path.includes("*") ? files.some((file) => matchesGlob(file, path)) : existsSync(join(packageFolder, path));

/** Files whose paths are patterns, made up, or third-party. */
const NOT_READ =
  /^(package-lock\.json|openapi\/generated\/.*|tools\/testing\/(public-surface\/.*|imports\/import-rules\.test\.ts)|\.dependency-cruiser\.mjs)$/;
const MODULE = /\.(ts|js|mjs)$/;
/** Made by `npm run docs`. */
const MADE = [
  "site",
  "site/search.html",
  "site/courier-dispatch.postman_collection.json",
  "matrix.md",
  "llms.txt",
  "catalogue/server.json",
];

const folders = [...new Set(files.filter((file) => file.includes("/")).map((file) => file.split("/")[0]))];
const PATH = new RegExp(
  `(?<![\\w./-])(\\./)?((?:${folders.join("|").replaceAll(".", "\\.")})/[\\w./*{},<>$-]*)`,
  "g",
);

interface Mention {
  readonly file: string;
  readonly path: string;
}

/** Paths from the repository's folder. Relative imports are left to the compiler. */
const mentionsIn = (file: string): readonly Mention[] =>
  [...read(file).matchAll(PATH)].flatMap(([, dot, path = ""]) =>
    path.includes("${") || (dot !== undefined && MODULE.test(file))
      ? []
      : [{ file, path: path.replace(/[.,]+$/, "") }],
  );

test("each path in code, documents, comments and settings exists", () => {
  const mentions = files.filter((file) => !NOT_READ.test(file)).flatMap(mentionsIn);
  expect(mentions.length).toBeGreaterThan(100);
  expect(mentions.filter(({ path }) => !isThere(path) && !MADE.includes(path))).toEqual([]);
});

/** Files of users, files that commands write, and names of package exports. */
const NOT_OURS = [
  "conform.yaml",
  ".courier-conform",
  "conformance/report.json",
  ...REPORT_FILES,
  "failures",
  "failures/CHECK.http",
  "implementation.yaml",
  SIGNED_FILE,
  ...ALL_KINDS.map((kind) => `${kind}.json`),
  ...Object.keys(packageJson.exports).map((entry) => entry.replace(/^\./, packageJson.name)),
];
/** The names of files with checks. */
const PLACEHOLDERS = ["group.ts", "group-part.ts"];

/** The repository's folders in the package. */
const INSTALLED = /^node_modules\/courier-conform\/dist\//;

const FILE_OR_FOLDER =
  /^[\w.@-]+(\/[\w.@*-]+)*(\/|\.(ts|js|mjs|json|ya?ml|sh|txt|css|html|md|har|xml|svg|http|conf|php|java|cs|py))$/;

test("each file and folder in a document's sentences is in the repository or in the list of exceptions", () => {
  const named = documents.flatMap((document) =>
    codeSpans(read(document))
      .filter((span) => FILE_OR_FOLDER.test(span))
      .map((span) => ({ document, path: span.replace(INSTALLED, "").replace(/\/$/, "") })),
  );
  expect(named.length).toBeGreaterThan(30);
  const known = [...NOT_OURS, ...PLACEHOLDERS, ...MADE];
  const isPart = (path: string): boolean =>
    files.some((file) => `/${file}/`.includes(`/${path}/`)) || known.includes(path);
  expect(named.filter(({ path }) => !isPart(path))).toEqual([]);
});

test("each line of .dockerignore matches something", () => {
  const patterns = read(".dockerignore")
    .trimEnd()
    .split("\n")
    .map((line) => line.replace(/^!/, ""));
  const isAboutNothing = (pattern: string) =>
    !files.some((file) => matchesGlob(file, pattern) || matchesGlob(file, `${pattern}/**`));
  expect(patterns.filter(isAboutNothing)).toEqual([]);
});
