import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { expect, test } from "vitest";
import { readLedger } from "./core/contract/ledger.ts";

const { clauses, open_points } = readLedger();

const generated = fileURLToPath(new URL("../openapi/generated/clauses.ts", import.meta.url));
const checkFiles = globSync("*/checks/**/*.ts", { cwd: import.meta.dirname })
  .filter((path) => !path.endsWith(".test.ts"))
  .map((path) => `${import.meta.dirname}/${path}`);
const choices = fileURLToPath(new URL("server/variants/uncovered-open-points.ts", import.meta.url));

/** The language service of an editor that has these files open, and follows no import beyond them. */
const service = ts.createLanguageService({
  getScriptFileNames: () => [generated, choices, ...checkFiles],
  getScriptVersion: () => "1",
  getScriptSnapshot: (path) => ts.ScriptSnapshot.fromString(readFileSync(path, "utf8")),
  getCurrentDirectory: () => import.meta.dirname,
  getCompilationSettings: () => ({
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2024,
    strict: true,
    noResolve: true,
    types: [],
  }),
  getDefaultLibFileName: ts.getDefaultLibFilePath,
  fileExists: ts.sys.fileExists,
  readFile: ts.sys.readFile,
});

/** What an editor shows, beside the type, of each text in quotes that looks like this. */
const hovers = (path: string, pattern: RegExp): readonly { id: string; shown: string }[] =>
  [...readFileSync(path, "utf8").matchAll(pattern)].map((match) => {
    const [, id = ""] = match;
    const info = service.getQuickInfoAtPosition(path, match.index + match[0].indexOf(id));
    return { id, shown: ts.displayPartsToString(info?.documentation) };
  });

test("hovering over a clause's id in a check shows its level and its sentence", () => {
  const sentences = new Map<string, string>(clauses.map(({ id, level, text }) => [id, `${level}: ${text}`]));
  const named = checkFiles.flatMap((path) => hovers(path, /\bclause\["([A-Z]+-\d+)"\]/g));
  expect(named.length).toBeGreaterThan(500);
  expect(named.filter(({ id, shown }) => sentences.get(id) !== shown)).toEqual([]);
});

test("no check names a clause in a way that an editor shows nothing of", () => {
  const ids = new Set<string>(clauses.map(({ id }) => id));
  const plain = checkFiles.flatMap((path) =>
    [...readFileSync(path, "utf8").matchAll(/(?<!\bclause\[)"([A-Z]+-\d+)"/g)]
      .filter(([, id = ""]) => ids.has(id))
      .map(([text]) => `${path}: ${text}`),
  );
  expect(plain, 'write clause["ID"], from openapi/generated/clauses.ts').toEqual([]);
});

test("hovering over an open point in a server's choices shows what is open", () => {
  const texts = new Map<string, string>(open_points.map(({ id, text }) => [id, text]));
  const named = hovers(choices, /^ {2}"(OPEN-\d+)": /gm);
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter(({ id, shown }) => !shown.startsWith(texts.get(id) ?? "nothing"))).toEqual([]);
});
