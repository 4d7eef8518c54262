/** Compiles and runs samples in other languages, with tools from Debian packages. */
import { execFile, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

export type CommandLine = readonly [command: string, ...args: string[]];

const GSON = "/usr/share/java/gson.jar";
const NEWTONSOFT_JSON = "/usr/lib/cli/Newtonsoft.Json-5.0/Newtonsoft.Json.dll";

const succeeds = (...[command, ...args]: CommandLine): boolean => spawnSync(command, args).status === 0;

/** The tools of each language, and whether they are installed. */
const LANGUAGES = {
  TypeScript: () => true,
  Python: () => succeeds("python3", "--version"),
  PHP: () =>
    succeeds("php", "-r", 'exit(extension_loaded("curl") && extension_loaded("pdo_sqlite") ? 0 : 1);'),
  Ruby: () => succeeds("ruby", "-e", 'require "openssl"'),
  Java: () => succeeds("javac", "--version") && existsSync(GSON),
  "C#": () => succeeds("mcs", "--version") && succeeds("mono", "--version") && existsSync(NEWTONSOFT_JSON),
} as const;

export type Language = keyof typeof LANGUAGES;

/**
 * Returns why a language's samples are skipped; undefined if they run. REQUIRE_LANGUAGES=1 requires all languages,
 * REQUIRE_SERVICES=1 requires Ruby, which the console's tests use.
 */
export function leftOut(language: Language): string | undefined {
  const { REQUIRE_LANGUAGES, REQUIRE_SERVICES } = process.env;
  const isRequired = REQUIRE_LANGUAGES === "1" || (REQUIRE_SERVICES === "1" && language === "Ruby");
  if (isRequired || LANGUAGES[language]()) return undefined;
  return `${language}'s tools are not on this machine: .ci installs them`;
}

const sources = (folder: string, extension: string): readonly string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith(extension))
    .map((name) => join(folder, name));

/** Compiles a folder's Java files. Returns the command that runs the class `main`. */
export async function java(folder: string, main: string): Promise<CommandLine> {
  const classes = mkdtempSync(join(tmpdir(), "java-"));
  await run("javac", [
    ...["-Xlint:all", "-Werror", "-encoding", "UTF-8", "-cp", GSON, "-d", classes],
    ...sources(folder, ".java"),
  ]);
  return ["java", "-cp", [GSON, classes].join(delimiter), main];
}

/** Compiles a folder's C# files. Returns the command that runs the class `main`. */
export async function cSharp(folder: string, main: string): Promise<CommandLine> {
  const program = join(mkdtempSync(join(tmpdir(), "csharp-")), `${main}.exe`);
  const libraries = ["System.Net.Http.dll", NEWTONSOFT_JSON].map((library) => `-r:${library}`);
  await run("mcs", [
    ...["-langversion:latest", "-warnaserror", ...libraries, `-main:${main}`, `-out:${program}`],
    ...sources(folder, ".cs"),
  ]);
  return ["mono", program];
}
