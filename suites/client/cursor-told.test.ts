/** Tests the message about a client that requests another page than the page's next_cursor. */
import { expect, test } from "vitest";
import { Redactor } from "../core/text/redact.ts";
import { catchUpChecks } from "./checks/catch-up.ts";
import { runCheck } from "./run-check.ts";
import { Evidence } from "./session/evidence.ts";
import type { RecordedRequest } from "./session/request.ts";
import { withPlusSigns } from "./session/sandbox/cursors.ts";

const NEXT = "Qk3v+9aXc/%2B&uVw1==";

/** The evidence of a client that sent these list requests one after another. */
function askedFor(...queries: readonly string[]): Evidence {
  const requests = queries.map((query, index): RecordedRequest => {
    const json = { items: [], has_more: true, next_cursor: NEXT };
    const response = { status: 200, headers: {}, bytes: Buffer.of(), text: JSON.stringify(json), json };
    return {
      number: index + 1,
      startNumber: 1,
      operation: "listDeliveries",
      method: "GET",
      path: "/v1/deliveries",
      query: withPlusSigns(new URLSearchParams(query)),
      headers: {},
      body: Buffer.of(),
      json: undefined,
      token: "token",
      connectionReused: false,
      arrivedAt: index * 10,
      startedAt: index * 10,
      completion: { at: index * 10 + 5, response, failure: undefined },
      fault: undefined,
      servedStatus: 200,
    };
  });
  const run = { requests, tasks: [], timeScale: 1, endedStarts: new Set([1]), endedAt: 1_000 };
  return new Evidence({ url: "http://sandbox", ...run });
}

test.each([
  [
    "since=qk3v%2B9axc%2F%252b%26uvw1%3D%3D",
    "'qk3v+9axc/%2b&uvw1==': the cursor with letters in another case",
  ],
  [
    "since=Qk3v%252B9aXc%252F%25252B%2526uVw1%253D%253D",
    "'Qk3v%2B9aXc%2F%252B%26uVw1%3D%3D': the cursor encoded twice",
  ],
  ["since=Qk3v%2B9aXc%2F%252B%26uVw1", "'Qk3v+9aXc/%2B&uVw1': the cursor without the = at its end"],
  [`since=${NEXT}`, "'Qk3v+9aXc/+': what remains of a cursor that isn't encoded"],
  ["since=2026-11-23T20%3A50%3A02.046Z", "'2026-11-23T20:50:02.046Z': a time instead of the cursor"],
  ["since=MTc5", "'MTc5': another cursor"],
  ["", "none (the beginning of the list)"],
])("the message names what a client sent instead of the cursor: ?%s", (query, told) => {
  const [check] = catchUpChecks.filter(({ id }) => id === "catch-up.to-the-end");
  if (!check) throw new Error("there is no such check");
  const { status, message } = runCheck(check, askedFor("", query), new Redactor()).outcome;
  expect({ status, message }).toEqual({
    status: "failed",
    message: `expected since after an empty page with has_more: true to be '${NEXT}', got ${told}`,
  });
});
