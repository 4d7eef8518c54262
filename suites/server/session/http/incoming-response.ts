import { wallClock } from "../../../core/clock.ts";
import type { ExchangeResponse } from "../../../core/exchange.ts";
import type { RawResponse } from "../../../core/http/connections.ts";
import { UnreadableResponse } from "../../../core/http/unreadable-response.ts";
import { jsonExcess, parseJson } from "../../../core/json.ts";

/**
 * Converts a received response into the form that checks use.
 * @throws UnreadableResponse if the response's JSON exceeds the limits
 */
export function readResponse({ status, bytes, headers }: RawResponse): ExchangeResponse {
  const text = new TextDecoder().decode(bytes);
  const json = parseJson(text);
  const excess = json === undefined ? jsonExcess(text) : undefined;
  if (excess !== undefined) throw new UnreadableResponse(excess);
  const joined = Object.entries(headers).map(([name, value]) => [name, [value ?? ""].flat().join(", ")]);
  return { status, headers: Object.fromEntries(joined), bytes, text, json };
}

/** The milliseconds in `retry-after`, which contains seconds or an HTTP date (OPEN-222). */
export function retryAfterMs(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d+$/.test(value.trim())) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - wallClock());
}
