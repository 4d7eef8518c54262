import { expect, test } from "vitest";
import { serverSuite } from "../../../suites/server/suite.ts";
import { explain, explanationData } from "../../certification/explain.ts";
import { serverExplanation } from "./explanation.ts";

const HEADINGS = [
  "What the specification says",
  "Why it matters",
  "What is sent",
  "What passes",
  "What fails, for example",
  "Common causes",
  "What it needs",
  "To repeat it alone",
];

const suite = serverSuite();
/** An explanation without its example run. */
const source = { ...serverExplanation, exampleRun: async () => ["POST /somewhere → 200"] };

test("every check has an explanation with all headings, and none is empty", async () => {
  for (const check of suite.checks) {
    const text = await explain(suite, check.id, source);
    const empty = HEADINGS.filter((heading) => !new RegExp(`  ${heading}\\n {4}\\S`).test(text));
    expect(empty, check.id).toEqual([]);
    expect(text.split("\n").filter((line) => line.length > 110)).toEqual([]);
  }
});

test("the requests shown are those of a run on the reference server", async () => {
  const text = await explain(suite, "idempotency.same-key-same-body", serverExplanation);
  expect(text).toMatch(/POST \/v1\/deliveries → 201.*\n {4}POST \/v1\/deliveries → 200/);
});

test("a check without requests says so", async () => {
  expect(await explain(suite, "passive.times-in-utc", serverExplanation)).toContain("no requests of its own");
});

test("a clause is explained with its checks, and an excluded one with its reason", async () => {
  expect(await explain(suite, "IDEM-2", serverExplanation)).toContain("← idempotency.");
  const excluded = suite.clauses.find((clause) => clause.excluded !== undefined);
  expect(await explain(suite, excluded?.id ?? "", serverExplanation)).toContain("No check: ");
});

test("for a clause about receivers or clients, the message names the command that explains it", async () => {
  await expect(explain(suite, "RECV-3", serverExplanation)).rejects.toThrow(
    "npm run receiver -- --explain RECV-3",
  );
});

test("the JSON explanations of checks and clauses have the same contents as the text", async () => {
  const id = "idempotency.same-key-same-body";
  const { check, why, sent, fails, causes } = await explanationData(suite, id, source);
  expect(check).toMatchObject({ id, severity: "MUST" });
  expect(fails).toContain("idempotency keys are ignored");
  expect({ why, sent, causes }).toEqual({
    why: expect.stringMatching(/\S/),
    sent: ["POST /somewhere → 200"],
    causes: expect.arrayContaining([expect.any(String)]),
  });
  expect(await explanationData(suite, "IDEM-2", source)).toMatchObject({
    clause: { id: "IDEM-2", level: "MUST", checks: expect.arrayContaining([expect.any(String)]) },
  });
  await expect(explanationData(suite, "IDEM-999", source)).rejects.toThrow("no check and no clause");
});
