/** Carries out the tables of CONTRIBUTING.md on a copy: a new check, a new field and a new event type. */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Copy, type Insertion } from "./copy.ts";

const CHECK: readonly Insertion[] = [
  [
    "openapi/clauses.yaml",
    '    text: "redis is a string."\n',
    `  - id: HEALTH-5
    part: endpoints
    section: "Health"
    subject: server
    level: MUST
    claim: api
    text: "db is not an empty string."
`,
  ],
  [
    "suites/server/checks/protocol/health.ts",
    "export const healthChecks: readonly Check[] = [",
    `
  check({
    id: "health.text",
    title: "the state of the database is not an empty string",
    clauses: [clause["HEALTH-5"]],
    async run({ anonymous }) {
      expectThat("db", (await anonymous.call("getHealth")).body(200).db).isNot("");
    },
  }),
  `,
  ],
  [
    "suites/server/mutants/protocol/health.ts",
    "export const healthMutants: Mutants = {",
    `
  "health-db-is-empty": {
    fault: "db is an empty string",
    breaks: [{ clause: "HEALTH-5" }],
    mutate: alterHealth({ db: "" }),
  },`,
  ],
  ["suites/check-ids.txt", "health.parts\n", "health.text\n"],
];

const EVENT_TYPE: readonly Insertion[] = [
  [
    "openapi/courier-dispatch.yaml",
    "\nwebhooks:\n",
    `  delivery.weighed:
    post:
      operationId: onDeliveryWeighed
      requestBody: { $ref: '#/components/requestBodies/DeliveryEvent' }
      responses:
        2XX: { $ref: '#/components/responses/ReceiverAccepted' }
`,
  ],
];

const FIELD_IN_THE_DOCUMENT: readonly Insertion[] = [
  [
    "openapi/courier-dispatch.yaml",
    "        package_count: { type: integer, minimum: 1, maximum: 20, default: 1 }\n",
    "        gift_note: { type: string, maxLength: 300 }\n",
  ],
  [
    "openapi/courier-dispatch.yaml",
    "        package_count: { type: integer, minimum: 1, maximum: 20 }\n",
    "        gift_note: { type: [string, 'null'], maxLength: 300 }\n",
  ],
];
const FIELD_AS_STORED_AND_SHOWN: readonly Insertion[] = [
  ["reference-server/domain/model.ts", "  notes: string | null;\n", "  gift_note: string | null;\n"],
  [
    "reference-server/views/views.ts",
    "      notes: delivery.notes,\n",
    "      gift_note: delivery.gift_note,\n",
  ],
];
const FIELD_AS_SENT: readonly Insertion[] = [
  [
    "reference-server/operations/create-delivery.ts",
    "    notes: body.notes ?? null,\n",
    "    gift_note: body.gift_note ?? null,\n",
  ],
];

const copy = new Copy();
afterAll(() => copy[Symbol.dispose]());
let named: readonly string[] = [];
beforeAll(() => {
  copy.insert([...CHECK, ...EVENT_TYPE, ...FIELD_IN_THE_DOCUMENT]);
  copy.run("tools/generate/generate.ts");
  named = copy.filesWithErrors();
});

test("a check takes a clause, a topic file, its mutants and the list of ids: then the command offers it", () => {
  expect(copy.run("bin/source.js", "conform", "--list", "--only", "health.text")).toContain("health.text");
});

test("an event type takes its entry in the document, and a field what the compiler names then", () => {
  expect(named).toEqual(["reference-server/views/views.ts"]);
  copy.insert(FIELD_AS_STORED_AND_SHOWN);
  expect(copy.filesWithErrors()).toEqual(["reference-server/operations/create-delivery.ts"]);
  copy.insert(FIELD_AS_SENT);
  expect(copy.filesWithErrors()).toEqual([]);
});

test("the tests of what every clause, check and mutant needs ask for nothing more", () => {
  const tests = ["suites/check-ids.test.ts", "suites/coverage.test.ts", "suites/guidance.test.ts"];
  const output = copy.run("node_modules/vitest/vitest.mjs", "run", "--no-color", ...tests);
  expect(output).toMatch(/Test Files +3 passed/);
});

test("CONTRIBUTING.md names every file that these changes touch", () => {
  const text = readFileSync(new URL("../../../CONTRIBUTING.md", import.meta.url), "utf8");
  const insertions = [CHECK, EVENT_TYPE, FIELD_IN_THE_DOCUMENT, FIELD_AS_STORED_AND_SHOWN, FIELD_AS_SENT];
  const files = insertions
    .flat()
    .map(([file]) => file.replace(/(?<=^suites\/server\/(checks|mutants)\/)protocol\/.*/, ""));
  expect(files.filter((file) => !text.includes(`\`${file}\``))).toEqual([]);
});
