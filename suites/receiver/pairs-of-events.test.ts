import { randomBytes } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import { DEFAULT_KINDS } from "../core/contract/event-kinds.ts";
import type { Outcome } from "../core/grading/outcome.ts";
import { mutantNamed } from "../core/mutation/catching.ts";
import { certifyReceiver } from "./certify.ts";
import { receiverMutants } from "./mutants/index.ts";
import { correctDependencies } from "./reference-receiver/dependencies.ts";
import { serveReceiver } from "./reference-receiver/serve.ts";
import { PairFailure } from "./session/pair-failure.ts";
import { ANSWER_LIMIT_MS } from "./session/settings.ts";

/** The outcomes of the checks that fail on a mutant. */
async function failuresOf(mutant: string): Promise<readonly Outcome[]> {
  const secret = `whsec_${randomBytes(24).toString("base64")}`;
  const { url, effectsUrl, close } = await serveReceiver(
    mutantNamed(mutant, receiverMutants).mutate(correctDependencies(secret)),
  );
  onTestFinished(close);
  const limits = { answerMs: ANSWER_LIMIT_MS, limitMs: ANSWER_LIMIT_MS, returnMs: 500, effectMs: 300 };
  const { outcomes } = await certifyReceiver({
    url,
    effectsUrl,
    secret,
    eventTypes: DEFAULT_KINDS,
    statuses: {},
    ...limits,
  });
  return [...outcomes.values()].filter(({ status }) => status !== "passed");
}

const PAIR = /webhook-id (\S+) with version \d+, of \S+ came first, then webhook-id (\S+) with version \d+/;

test.each([
  [
    "processes-one-event-per-delivery",
    9,
    "an event has no effect after an earlier event about the same delivery",
    /does the receiver recognise events by the delivery's id\?/,
  ],
  [
    "orders-by-webhook-timestamp",
    6,
    "an older version of a delivery replaces a newer one that arrived before",
    /does the last event to arrive win, or the latest timestamp\? data\.version orders events$/,
  ],
  [
    "compares-versions-as-text",
    4,
    "an older version of a delivery replaces a newer one that arrived before",
    /: are versions compared as text, in which 9 comes after 10; or does the last event to arrive win/,
  ],
] as const)("%s: %i failures have one cause, and each shows its pair of events", async (...row) => {
  const [mutant, count, fault, usual] = row;
  const failures = await failuresOf(mutant);
  expect(failures.map((outcome) => [outcome.status, outcome.fault])).toEqual(
    Array.from({ length: count }, () => ["failed", fault]),
  );
  for (const { message = "", exchanges = [] } of failures) {
    expect(message).toMatch(usual);
    const [, first, second] = PAIR.exec(message) ?? [];
    const sent = exchanges.map(({ request }) => request.headers["webhook-id"]);
    expect([...new Set(sent)]).toEqual([first, second]);
  }
});

test.each([
  ["2026-11-27T18:00:00.000Z", true],
  ["2026-11-27T18:00:00.001Z", false],
])("a dropped event of %s, after one of 18:00: its timestamp may be the reason: %s", (timestamp, isNamed) => {
  const first = { id: "1", version: 7, timestamp: "2026-11-27T18:00:00.000Z" };
  const mismatch = { subject: "the stored version", relation: "to be", expected: 8, actual: 7 } as const;
  const { message } = new PairFailure(mismatch, "dropped", [first, { id: "2", version: 8, timestamp }]);
  const named = "; or does the receiver order events by timestamp, which isn't later for the second event?";
  expect(message.includes(named)).toBe(isNamed);
});
