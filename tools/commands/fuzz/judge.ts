/** Checks that a response is valid for any request under the document. */
import { parseJson } from "../../../suites/core/json.ts";
import type { FuzzOperation } from "./document.ts";

export interface FuzzAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** Text that reveals the server's internals. */
const inside = /node_modules|node:internal|\n\s+at .+:\d+:\d+|SQLITE_|sqlite3?|postgres/i;
/**
 * Error codes about a request body. Any control operation may return them, although the document doesn't list
 * them.
 */
const anyControl = [413, 415];
const limitHeaders = ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"];

/** The fault of a response; undefined if there is none. A request to an unknown operation must be refused. */
export function faultIn(operation: FuzzOperation | undefined, answer: FuzzAnswer): string | undefined {
  const { status, headers, text } = answer;
  if (status >= 500) return `answered ${status}: ${text.slice(0, 200)}`;
  if (inside.test(text)) return `shows its inside: ${text.slice(0, 200)}`;
  const isJson = String(headers["content-type"] ?? "").startsWith("application/json");
  const body = isJson ? parseJson(text) : undefined;
  if (isJson && text !== "" && body === undefined)
    return `isn't valid JSON, although its content type says so: ${text.slice(0, 200)}`;
  if (operation?.isControl !== true) {
    const missing = limitHeaders.find((name) => !/^\d+$/.test(String(headers[name])));
    if (missing !== undefined) return `${status} without ${missing}`;
  }
  if (operation?.isControl && anyControl.includes(status)) return undefined;
  if (operation !== undefined) return operation.fault(status, body);
  return status >= 400 ? undefined : `status ${status} for an operation that doesn't exist`;
}
