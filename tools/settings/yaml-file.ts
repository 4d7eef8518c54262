import { readFileSync } from "node:fs";
import { type Document, parseDocument } from "yaml";
import { UsageError } from "../usage-error.ts";

/**
 * Reads a user's file.
 * @param advice what to do if it can't be read
 * @throws UsageError if it can't be read
 */
export function readText(file: string, advice: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unreadable";
    throw new UsageError(`cannot read ${file} (${code}): ${advice}`);
  }
}

/** The contents of a file, and the positions in it. */
interface ParsedYaml {
  readonly document: Document.Parsed;
  readonly content: unknown;
}

/**
 * Parses a file's text, and keeps its comments.
 * @throws UsageError with the position of a mistake, without quotes: the file may contain secrets
 */
export function parseYaml(file: string, text: string): ParsedYaml {
  const wrong = (what: string) => new UsageError(`${file} is not valid YAML: ${what}`);
  try {
    const document = parseDocument(text, { prettyErrors: true });
    const [syntaxError] = document.errors;
    // The library's first line contains the position. The rest would quote the file.
    if (syntaxError) throw wrong(syntaxError.message.split("\n")[0]?.replace(/:$/, "") ?? "");
    const content: unknown = document.toJS();
    return { document, content };
  } catch (error) {
    if (error instanceof ReferenceError) throw wrong("its aliases stand for too much: write it without them");
    throw error;
  }
}
