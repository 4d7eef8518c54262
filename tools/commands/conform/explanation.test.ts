import { expect, test } from "vitest";
import { serverSuite } from "../../../suites/server/suite.ts";
import { explain, explanationData } from "../../certification/explain.ts";
import { serverExplanation } from "./explanation.ts";

const HEADINGS = [
  "What the specification says",
  "Why it matters",
  "What is sent",
  "What passes",
  "What fails, among others",
  "Common causes",
  "What it needs",
  "To repeat it alone",
];

const suite = serverSuite();
/** All that an explanation says, but without running the check for each. */
const source = { ...serverExplanation, exampleRun: async () => ["POST /somewhere → 200"] };

test("every check is explained under every heading, and nothing is left empty", async () => {
  const faults = Object.keys(await source.faults());
  for (const check of suite.checks) {
    const text = await explain(suite, check.id, source);
    const empty = HEADINGS.filter((heading) => !new RegExp(`  ${heading}\\n {4}\\S`).test(text));
    expect(empty, check.id).toEqual([]);
    expect(faults, check.id).toEqual(expect.arrayContaining([...check.mutants]));
    expect(text.split("\n").filter((line) => line.length > 110)).toEqual([]);
  }
});

test("what is sent is seen on the reference server", async () => {
  const text = await explain(suite, "idempotency.same-key-same-body", serverExplanation);
  expect(text).toMatch(/POST \/v1\/deliveries → 201.*\n {4}POST \/v1\/deliveries → 200/);
});

test("a check that sends nothing of its own says so", async () => {
  expect(await explain(suite, "passive.times-in-utc", serverExplanation)).toContain("nothing of its own");
});

test("a clause is explained with its checks, and an excluded one with its reason", async () => {
  expect(await explain(suite, "IDEM-2", serverExplanation)).toContain("← idempotency.");
  const excluded = suite.clauses.find((clause) => clause.excluded !== undefined);
  expect(await explain(suite, excluded?.id ?? "", serverExplanation)).toContain("No check: ");
});

test("a clause of another subject names the command to ask", async () => {
  await expect(explain(suite, "RECV-3", serverExplanation)).rejects.toThrow(
    "npm run receiver -- --explain RECV-3",
  );
});

test("as data it says the same of a check and of a clause", async () => {
  const id = "idempotency.same-key-same-body";
  const { check, why, sent, fails, causes } = await explanationData(suite, id, source);
  expect(check).toMatchObject({ id, severity: "MUST" });
  expect(fails).toHaveLength(check?.mutants.length ?? 0);
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
