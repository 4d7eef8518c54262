import { expect, test } from "vitest";
import { Evidence } from "./evidence.ts";
import type { RecordedRequest } from "./request.ts";

/** Milliseconds that each request takes. */
const TAKES_MS = 5;

interface Seen {
  readonly at: number;
  /** The token in the response to a token request; undefined for any other call. */
  readonly granted?: string;
  readonly status?: number;
}

/** A client's recorded requests. */
function evidenceOf(seen: readonly Seen[]): Evidence {
  const requests = seen.map(({ at, granted, status = 200 }, index): RecordedRequest => {
    const json = granted === undefined ? {} : { access_token: granted };
    const text = JSON.stringify(json);
    const response = { status, headers: {}, bytes: new TextEncoder().encode(text), text, json };
    return {
      number: index + 1,
      startNumber: 1,
      operation: granted === undefined ? "listStores" : "obtainToken",
      method: granted === undefined ? "GET" : "POST",
      path: granted === undefined ? "/v1/stores" : "/oauth/token",
      query: new URLSearchParams(),
      headers: {},
      body: Buffer.alloc(0),
      json: undefined,
      token: undefined,
      connectionReused: false,
      arrivedAt: at,
      startedAt: at,
      completion: { at: at + TAKES_MS, response, failure: undefined },
      fault: undefined,
      servedStatus: undefined,
    };
  });
  return new Evidence({
    url: "http://sandbox",
    requests,
    tasks: [],
    timeScale: 1,
    endedStarts: new Set([1]),
    endedAt: 1_000,
  });
}

const reasons = (evidence: Evidence, tokens: readonly string[]) =>
  tokens.filter((token) => evidence.wasRequestedForAReason(token));

test("two concurrently refused calls may each request a token, and no other call may", () => {
  const evidence = evidenceOf([
    { at: 0, granted: "first" },
    { at: 10, status: 401 },
    { at: 11, status: 401 },
    { at: 20, granted: "second" },
    { at: 21, granted: "third" },
    { at: 40, granted: "fourth" },
  ]);
  expect(reasons(evidence, ["first", "second", "third", "fourth"])).toEqual(["first", "second", "third"]);
});

test("a token requested before any refusal has no reason, and uses up no reason of a later token", () => {
  const evidence = evidenceOf([
    { at: 0, granted: "first" },
    { at: 10, granted: "second" },
    { at: 20, status: 401 },
    { at: 30, granted: "third" },
  ]);
  expect(reasons(evidence, ["first", "second", "third"])).toEqual(["first", "third"]);
});
