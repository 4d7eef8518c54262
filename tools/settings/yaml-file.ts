import { readFileSync } from "node:fs";
import { type Document, parseDocument } from "yaml";
import { UsageError } from "../usage-error.ts";

/**
 * Reads a file that a person wrote.
 * @param advice what to do where it can't be read
 * @throws UsageError when it can't
 */
export function readText(file: string, advice: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unreadable";
    throw new UsageError(`cannot read ${file} (${code}): ${advice}`);
  }
}

/** What a file holds, and where what of it stands. */
export interface ParsedYaml {
  readonly document: Document.Parsed;
  readonly content: unknown;
}

/**
 * Parses a file's text, and keeps its comments.
 * @throws UsageError that names the place of a mistake, and quotes nothing: the file may hold secrets
 */
export function parseYaml(file: string, text: string): ParsedYaml {
  const wrong = (what: string) => new UsageError(`${file} is not valid YAML: ${what}`);
  try {
    const document = parseDocument(text, { prettyErrors: true });
    const [syntaxError] = document.errors;
    // The library's first line names the place; what follows would quote the file.
    if (syntaxError) throw wrong(syntaxError.message.split("\n")[0]?.replace(/:$/, "") ?? "");
    const content: unknown = document.toJS();
    return { document, content };
  } catch (error) {
    if (error instanceof ReferenceError) throw wrong("its aliases stand for too much: write it without them");
    throw error;
  }
}
