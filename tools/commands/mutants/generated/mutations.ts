/**
 * Generates mutants of the reference server's source. The instrumented code contains every mutant behind a switch.
 */
import { globSync, readFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Instrumenter } from "@stryker-mutator/instrumenter";
import { declarationsOf } from "./declarations.ts";

/** A change at one place of the source. */
export interface GeneratedMutant {
  /** The number of the mutant's switch in this run. */
  readonly id: string;
  /** The path in the reference server's folder, such as `domain/phone.ts`. */
  readonly file: string;
  /** The line, counted from 1. */
  readonly line: number;
  /** The declaration that contains the changed code, and a hash of the declaration's code. */
  readonly declaration: string;
  readonly fingerprint: string;
  /** Stryker's name for the kind of change. */
  readonly operator: string;
  /** The code that was replaced, and its replacement. */
  readonly change: string;
}

export interface Mutations {
  readonly mutants: readonly GeneratedMutant[];
  /** The instrumented sources, by the URLs of their modules. */
  readonly sources: ReadonlyMap<string, string>;
}

const SERVER = new URL("../../../../reference-server/", import.meta.url);
const root = fileURLToPath(SERVER);
/** Reports cut longer code. */
const MAX_SHOWN_CHARS = 90;

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

/** The paths of the source files in these folders of the reference server, without tests. */
export const sourceFiles = (folders: readonly string[]): readonly string[] =>
  folders
    .flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: root }))
    .filter((file) => !/\.test\.ts$|(^|\/)testing\//.test(file))
    .map((file) => file.replaceAll("\\", "/"))
    .toSorted();

/** @param files paths in the reference server's folder */
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

/** The instrumented sources of these mutants. Other modules stay uninstrumented, because code without switches is faster. */
export function sourcesOf({ sources }: Mutations, mutants: readonly GeneratedMutant[]): Mutations["sources"] {
  const urls = new Set(mutants.map(({ file }) => new URL(file, SERVER).href));
  return new Map([...sources].filter(([url]) => urls.has(url)));
}

function shown(code: string): string {
  const line = code
    .replace(/\/\/.*$/gm, "")
    .replace(/\s+/g, " ")
    .trim();
  return line.length <= MAX_SHOWN_CHARS ? line : `${line.slice(0, MAX_SHOWN_CHARS)}…`;
}
