import { readFileSync } from "node:fs";
import { type Document, isAlias, LineCounter, parseDocument, visit, type YAMLError } from "yaml";
import { UsageError } from "../usage-error.ts";

function bytesOf(file: string, advice: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unreadable";
    throw new UsageError(`cannot read ${file} (${code}): ${advice}`);
  }
}

/**
 * Reads a user's file.
 * @param advice what to do if the file can't be read
 * @throws UsageError if the file can't be read, or isn't UTF-8
 */
export function readText(file: string, advice: string): string {
  const bytes = bytesOf(file, advice);
  // Windows PowerShell 5 writes UTF-16. UTF-16 without a byte order mark is recognized by its zero bytes.
  const isUtf16 = /^(fffe|feff)/.test(bytes.toString("hex", 0, 2)) || bytes.includes(0);
  if (isUtf16) throw new UsageError(`${file} is in UTF-16, or isn't text: save it as UTF-8`);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new UsageError(`${file} isn't in UTF-8: save it as UTF-8`);
  }
}

interface ParsedYaml {
  readonly document: Document.Parsed;
  readonly content: unknown;
}

/** The first line of the library's message, with the position. Later lines quote the file, which may contain secrets. */
function syntaxProblem({ code, message, linePos }: YAMLError): string {
  if (code === "MULTIPLE_DOCS")
    return `it contains more than one document: remove everything from the --- at line ${linePos?.[0].line}`;
  return message.split("\n")[0]?.replace(/:$/, "") ?? "";
}

/** The position of the first alias without an anchor. Such an alias may be an unquoted secret that begins with `*`. */
function undefinedAlias(document: Document.Parsed, lines: LineCounter): string | undefined {
  const anchors = new Set<string>();
  let position: string | undefined;
  visit(document, {
    Node: (_, node) => {
      if (!isAlias(node)) {
        if (node.anchor !== undefined) anchors.add(node.anchor);
      } else if (!anchors.has(node.source)) {
        const { line, col } = lines.linePos(node.range?.[0] ?? 0);
        position = `line ${line}, column ${col}`;
        return visit.BREAK;
      }
      return undefined;
    },
  });
  return position;
}

/**
 * Parses a file's text. The returned document keeps the comments.
 * @throws UsageError with the position of the mistake, and without quotations, because the file may contain secrets
 */
export function parseYaml(file: string, text: string): ParsedYaml {
  const mistake = (what: string) => new UsageError(`${file} is not valid YAML: ${what}`);
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { prettyErrors: true, lineCounter });
  const [syntaxError] = document.errors;
  if (syntaxError) throw mistake(syntaxProblem(syntaxError));
  try {
    const content: unknown = document.toJS();
    return { document, content };
  } catch (error) {
    if (!(error instanceof ReferenceError)) throw error;
    const undefinedAt = undefinedAlias(document, lineCounter);
    if (undefinedAt === undefined)
      throw mistake("its aliases expand to too much data: write it without them");
    throw mistake(
      `the value at ${undefinedAt} begins with *, and no anchor has this name: put the value in quotes`,
    );
  }
}
