import { readFileSync } from "node:fs";
import { commandLine } from "../../../suites/core/command-line.ts";
import { isObject, parseJson, textOf } from "../../../suites/core/json.ts";
import { UsageError } from "../../usage-error.ts";
import { shellWords } from "./shell-words.ts";

/** A captured webhook, with header names in lower case. */
export interface Captured {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** True for a text file, to which an editor may have added a newline. */
  readonly isText: boolean;
}

export function readBytes(file: string, name: string): Buffer {
  try {
    return readFileSync(file === "-" ? 0 : file);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? textOf(error.code) : "unreadable";
    throw new UsageError(
      `${name} ${file === "-" ? "standard input" : file} can't be read (${code}): give an existing file`,
    );
  }
}

/** Headers from lines or from a JSON object. */
export function headersIn(text: string): Record<string, string> {
  const parsed = parseJson(text);
  const members: readonly (readonly [string, unknown])[] = isObject(parsed)
    ? Object.entries(parsed)
    : text.split(/\r?\n/).flatMap((line) => {
        const colon = line.indexOf(":");
        return colon > 0 ? [[line.slice(0, colon), line.slice(colon + 1)] as const] : [];
      });
  return Object.fromEntries(
    members.map(([name, value]) => [name.trim().toLowerCase(), textOf(value).trim()]),
  );
}

/** Reads a curl command, an HTTP request, or a file of `samples`. */
export function capturedIn(bytes: Buffer): Captured {
  const text = bytes.toString("utf8");
  if (/^\s*curl\s/.test(text)) return fromCurl(text);
  const parsed = parseJson(text);
  if (isObject(parsed)) return fromSample(parsed);
  // Latin-1 keeps byte positions.
  const [head = "", gap] = /^.*?(\r?\n\r?\n)/s.exec(bytes.toString("latin1")) ?? [];
  if (gap === undefined) {
    throw new UsageError(
      "this isn't a captured webhook: expected a curl command, or headers, an empty line and the body",
    );
  }
  return { headers: headersIn(head), body: bytes.subarray(head.length), isText: true };
}

function fromSample(sample: Record<string, unknown>): Captured {
  const { headers, body, body_base64 } = sample;
  if (!isObject(headers) || typeof body !== "string") {
    throw new UsageError(
      `this JSON isn't a file of ${commandLine("samples")}: headers and body are missing (give a body with --body)`,
    );
  }
  return {
    headers: headersIn(JSON.stringify(headers)),
    body: typeof body_base64 === "string" ? Buffer.from(body_base64, "base64") : Buffer.from(body),
    isText: false,
  };
}

const HEADER = ["-H", "--header"];
const DATA = ["-d", "--data", "--data-ascii", "--data-raw", "--data-binary"];

/** The given flags and their values in a curl command, including those like `--flag=value`. */
function* valuesOf(words: readonly string[], flags: readonly string[]): Generator<readonly [string, string]> {
  for (const [index, word] of words.entries()) {
    const flag = flags.find((one) => word === one || word.startsWith(one.startsWith("--") ? `${one}=` : one));
    if (flag === undefined) continue;
    const inWord = word.slice(flag.length).replace(/^=/, "");
    yield [flag, word === flag ? (words[index + 1] ?? "") : inWord];
  }
}

function fromCurl(line: string): Captured {
  const words = shellWords(line);
  if (words === undefined)
    throw new UsageError("the curl command has a quote that isn't closed: copy the whole command");
  const headers = [...valuesOf(words, HEADER)].map(([, header]) => header);
  const bodies = [...valuesOf(words, DATA)].map(([flag, value]) => dataOf(flag, value));
  if (bodies.length !== 1) {
    throw new UsageError(
      `the curl command has ${bodies.length} bodies: give one, with --data-raw or --data-binary`,
    );
  }
  return { headers: headersIn(headers.join("\n")), body: Buffer.concat(bodies), isText: false };
}

/** `@file` names a file, except with --data-raw. --data removes line ends from its contents. */
function dataOf(flag: string, value: string): Buffer {
  if (flag === "--data-raw" || !value.startsWith("@")) return Buffer.from(value);
  const bytes = readBytes(value.slice(1), "the curl command's body");
  return flag === "--data-binary"
    ? bytes
    : Buffer.from(bytes.toString("latin1").replaceAll(/[\r\n]/g, ""), "latin1");
}
