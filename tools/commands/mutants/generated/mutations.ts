/**
 * Generates mutants of the reference server's source. The instrumented code contains all of them, each behind a switch.
 */
import { globSync, readFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Instrumenter } from "@stryker-mutator/instrumenter";
import { declarationsOf } from "./declarations.ts";

/** One change to one place of the source. */
export interface GeneratedMutant {
  /** The number of its switch, in this run. */
  readonly id: string;
  /** Relative to the reference server's folder, e.g. `domain/phone.ts`. */
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  /** The declaration that contains it, and a hash of that declaration's code. */
  readonly declaration: string;
  readonly fingerprint: string;
  /** Stryker's name for the kind of change. */
  readonly operator: string;
  /** The code that was replaced, and its replacement. */
  readonly change: string;
}

export interface Mutations {
  readonly mutants: readonly GeneratedMutant[];
  /** Instrumented source by the URL of its module. */
  readonly sources: ReadonlyMap<string, string>;
}

const SERVER = new URL("../../../../reference-server/", import.meta.url);
const root = fileURLToPath(SERVER);
/** Longer code is cut in reports. */
const LONGEST_SHOWN = 90;

const nothing = () => {};
const never = () => false;
const silent = {
  isTraceEnabled: never,
  isDebugEnabled: never,
  isInfoEnabled: never,
  isWarnEnabled: never,
  isErrorEnabled: never,
  isFatalEnabled: never,
  trace: nothing,
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
  fatal: nothing,
};

/** The source files in these folders of the reference server, without tests, relative to its folder. */
export const sourceFiles = (folders: readonly string[]): readonly string[] =>
  folders
    .flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: root }))
    .filter((file) => !/\.test\.ts$|(^|\/)testing\//.test(file))
    .map((file) => file.replaceAll("\\", "/"))
    .toSorted();

/** @param files relative to the reference server's folder */
export async function mutationsOf(files: readonly string[]): Promise<Mutations> {
  const originals = files.map((file) => {
    const name = fileURLToPath(new URL(file, SERVER));
    return { file, name, content: readFileSync(name, "utf8"), mutate: true as const };
  });
  const instrumented = await new Instrumenter(silent).instrument(originals, {
    plugins: null,
    ignorers: [],
    excludedMutations: [],
  });
  const made = originals.flatMap(({ file, name, content }) => {
    const declarations = declarationsOf(content);
    const lines = content.split("\n");
    const offset = ({ line, column }: { readonly line: number; readonly column: number }) =>
      lines.slice(0, line).reduce((sum, text) => sum + text.length + 1, column);
    return instrumented.mutants
      .filter((mutant) => mutant.fileName === name)
      .map(({ id, location, mutatorName, replacement = "" }) => {
        const { label, fingerprint } = declarations.at(offset(location.start), offset(location.end));
        const original = content.slice(offset(location.start), offset(location.end));
        const change = `${shown(original)} → ${shown(replacement)}`;
        return {
          id,
          file,
          line: location.start.line + 1,
          declaration: label,
          fingerprint,
          operator: mutatorName,
          change,
        };
      });
  });
  return {
    mutants: made,
    sources: new Map(instrumented.files.map(({ name, content }) => [pathToFileURL(name).href, content])),
  };
}

/** The instrumented sources of these mutants only, because code without switches is faster. */
export function sourcesOf({ sources }: Mutations, mutants: readonly GeneratedMutant[]): Mutations["sources"] {
  const urls = new Set(mutants.map(({ file }) => new URL(file, SERVER).href));
  return new Map([...sources].filter(([url]) => urls.has(url)));
}

function shown(code: string): string {
  const line = code
    .replace(/\/\/.*$/gm, "")
    .replace(/\s+/g, " ")
    .trim();
  return line.length <= LONGEST_SHOWN ? line : `${line.slice(0, LONGEST_SHOWN)}…`;
}
