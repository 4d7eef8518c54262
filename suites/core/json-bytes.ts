import { isUtf8 } from "node:buffer";
import { isObject } from "./json.ts";

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function decoded(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

/** A fault in a response's bytes. */
interface JsonBytesFault {
  /** The fault, with the same wording for all responses with it. */
  readonly kind: string;
  /** The fault with its evidence. */
  readonly what: string;
}

const sameWords = (kind: string): JsonBytesFault => ({ kind, what: kind });

/**
 * Describes why a standard parser can't read bytes as JSON text in UTF-8 (RFC 8259, 2 and 8.1). Undefined if it can.
 * @param json the value that was parsed from the bytes, which saves parsing them again
 */
export function jsonBytesFault(bytes: Uint8Array, json?: unknown): JsonBytesFault | undefined {
  if (BYTE_ORDER_MARK.every((byte, at) => bytes[at] === byte))
    return sameWords("begins with a byte order mark");
  if (json !== undefined && isUtf8(bytes)) return undefined;
  const text = decoded(bytes);
  if (text === undefined) return sameWords("isn't valid UTF-8");
  try {
    JSON.parse(text);
    return undefined;
  } catch {
    const kind = /^\s*</.test(text) ? "is a web page instead of JSON" : "isn't JSON";
    return { kind, what: `${kind}: it begins with ${JSON.stringify(text.slice(0, 60))}` };
  }
}

/** JSON strings, with the colon after a member's name. */
const TEXTS = /"(?:[^"\\]|\\.)*"(\s*:)?/gs;
const SURROGATE_ESCAPE = /\\u[dD][89a-fA-F]/;

function namesIn(text: string): number {
  let names = 0;
  for (const [, colon] of text.matchAll(TEXTS)) if (colon) names += 1;
  return names;
}

function membersOf(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, entry) => sum + membersOf(entry), 0);
  if (!isObject(value)) return 0;
  return Object.values(value).reduce<number>((sum, entry) => sum + 1 + membersOf(entry), 0);
}

function isWellFormed(value: unknown): boolean {
  if (typeof value === "string") return value.isWellFormed();
  if (Array.isArray(value)) return value.every(isWellFormed);
  return (
    !isObject(value) ||
    Object.entries(value).every(([key, entry]) => key.isWellFormed() && isWellFormed(entry))
  );
}

/**
 * Describes a part of valid JSON that parsers may read differently (RFC 8259, 4 and 8.2). Undefined if there is none.
 * @param json the parsed text
 */
export function ambiguousJson(text: string, json: unknown): string | undefined {
  // Most services send compact JSON, which is compared faster than its names are counted.
  if (JSON.stringify(json) !== text && namesIn(text) > membersOf(json))
    return "names a member of an object twice";
  if (SURROGATE_ESCAPE.test(text) && !isWellFormed(json)) return "contains a lone surrogate";
  return undefined;
}
