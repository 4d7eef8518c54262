/** The common properties of all refusals. */
import { expect } from "vitest";

/** Text that reveals internals: code positions, library names, SQL. */
const internals =
  /node_modules|node:internal|\.[cm]?[jt]s\b|\bat .+:\d+|[A-Za-z]*Error:|sqlite|postgres|select .+ from/i;

export interface Answer {
  readonly status: number;
  /** Names are in lower case. */
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** Expects the specification's error body and limit headers, without internals. */
export function expectRefusal(answer: Answer | undefined): void {
  const { status, headers, text } = answer ?? { status: 0, headers: {}, text: "" };
  expect({ status, text }).toEqual({ status: expect.toSatisfy(isRefusal), text: expect.any(String) });
  expect(JSON.parse(text)).toEqual({
    error: { code: expect.stringMatching(/^\w+$/), message: expect.stringMatching(/./), ...anyDetails(text) },
  });
  for (const name of ["limit", "remaining", "reset"]) {
    expect(headers[`x-ratelimit-${name}`]).toMatch(/^\d+$/);
  }
  expectNoLeak(JSON.stringify(headers), text);
}

export function expectNoLeak(...texts: readonly string[]): void {
  for (const text of texts) expect(text).not.toMatch(internals);
}

function isRefusal(status: unknown): boolean {
  return typeof status === "number" && status >= 400 && status < 500;
}

function anyDetails(text: string): object {
  return text.includes('"details"') ? { details: expect.any(Object) } : {};
}
