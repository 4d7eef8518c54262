import { describe, expect, test } from "vitest";
import { renderAnnotations } from "./formats/github.ts";
import { renderJson } from "./formats/json.ts";
import { renderJunit } from "./formats/junit.ts";
import reportSchema from "./formats/report.schema.json" with { type: "json" };
import { renderSummary } from "./formats/summary.ts";
import { renderHtml } from "./html/page.ts";
import { renderAttestation } from "./statement/attestation.ts";
import { renderTerminal } from "./terminal.ts";
import { parseXml, schemaErrors } from "./testing/reading.ts";
import { aReport, contextWith, declaredRightly, declaredWrongly } from "./testing/sample-report.ts";
import { painter } from "./text/paint.ts";

const context = contextWith();
const right = aReport(declaredRightly);
const wrong = aReport(declaredWrongly);
const undeclared = aReport({ ...declaredRightly, without: [] });

const HELD =
  "--without closed-credentials: The service closes no credential. Not applicable: AUTH-17, AUTH-18, AUTH-19.";
const DISPROVED =
  '--without other-credentials was declared ("The service has no credentials but integrators\', for whom every endpoint is meant."), but it is wrong: authentication.other-credential observed it (';

/** Text as a browser shows it. */
const textOf = (html: string) =>
  html
    .replace(/<(style|script)>.*?<\/\1>/gs, "")
    .replace(/<[^>]*>/g, "")
    .replaceAll("&#39;", "'")
    .replaceAll("&quot;", '"')
    .replace(/\s+/g, " ");

test("a declaration turns INCOMPLETE into CONFORMANT, and a wrong declaration fails the run", () => {
  const [before, after, failed] = [undeclared, right, wrong].map(({ verdict, exit_code }) => [
    verdict,
    exit_code,
  ]);
  expect(before).toEqual(["INCOMPLETE", 2]);
  expect(after).toEqual(["CONFORMANT", 0]);
  expect(failed).toEqual(["NONCONFORMANT", 1]);
});

describe("a declaration is shown with its inapplicable clauses, or with the observations that disprove it", () => {
  test("on the terminal", () => {
    const plain = (report: typeof right) => renderTerminal(report, context, painter(false));
    expect(plain(right)).toContain(`Declared:\n  ${HELD}\n`);
    expect(plain(right)).not.toContain("DISPROVED");
    expect(plain(wrong)).toContain(`DISPROVED  ${DISPROVED}`);
    expect(plain(wrong)).toContain(`  ${HELD}\n`);
    expect(plain(right)).toMatch(/^courier +CONFORMANT +\d+ +0 +0 +1 +\d+ +0 +0 +2$/m);
    expect(plain(undeclared)).not.toMatch(/declared|not applicable/i);
  });

  test("with its source, if it isn't a flag", () => {
    const placed = { ...context, declaredIn: "without in c.yaml" };
    const disproof = DISPROVED.replace(
      "--without other-credentials",
      "other-credentials (without in c.yaml)",
    );
    const held = HELD.replace("--without closed-credentials", "closed-credentials (without in c.yaml)");
    expect(renderTerminal(wrong, placed, painter(false))).toContain(`DISPROVED  ${disproof}`);
    expect(renderTerminal(right, placed, painter(false))).toContain(held);
    expect(renderSummary(right, placed)).toContain("- closed-credentials \\(without in c.yaml\\): ");
    expect(renderJunit(right, placed)).toContain('name="closed-credentials (without in c.yaml): ');
    expect(renderAnnotations(wrong, placed)).toEqual([
      expect.stringMatching(/^::error title=other-credentials \(without in c\.yaml\)::other-credentials \(/),
    ]);
  });

  test("in report.json, which fits its schema", () => {
    const faults = schemaErrors(reportSchema);
    for (const report of [right, wrong]) expect(faults(JSON.parse(renderJson(report)))).toEqual([]);
    expect(right).toMatchObject({
      declarations: [
        { name: "closed-credentials", clauses: ["AUTH-17", "AUTH-18", "AUTH-19"], disproved_by: [] },
      ],
    });
    expect(right.checks.filter(({ status }) => status === "not_applicable")).toHaveLength(2);
    expect(right.clauses.filter(({ status }) => status === "not_applicable")).toHaveLength(3);
    expect(undeclared).not.toHaveProperty("declarations");
  });

  test("in report.html, with the specification's sentence", () => {
    const page = textOf(renderHtml(right, context));
    expect(page).toContain("Declared never to occur: closed-credentials.");
    expect(page).toContain("Not applicable: AUTH-17, AUTH-18, AUTH-19.");
    expect(page).toContain("“Missing, expired, malformed token or closed credential: 401 with one of");
    expect(textOf(renderHtml(wrong, context))).toContain(
      "Disproved: authentication.other-credential observed it",
    );
  });

  test("in summary.md", () => {
    expect(renderSummary(right, context)).toContain(
      "### Declared\n\n- --without closed-credentials: The service closes",
    );
    expect(renderSummary(wrong, context)).toContain(
      "The run disproved a declaration (--without). Exit code 1.\n\nThe run disproved these declarations: other-credentials.\n",
    );
  });

  test("in junit.xml, in which a wrong one fails", () => {
    const failing = (report: typeof right) =>
      renderJunit(report, context)
        .split("<testsuite ")
        .filter((suite) => suite.startsWith('name="declarations"'))
        .map((suite) => /tests="\d+" failures="\d+"/.exec(suite)?.[0]);
    expect(failing(right)).toEqual(['tests="1" failures="0"']);
    expect(failing(wrong)).toEqual(['tests="2" failures="1"']);
    expect(failing(undeclared)).toEqual([]);
    expect(JSON.stringify(parseXml(renderJunit(right, context)))).toContain(
      "not applicable, declared not to occur: closed-credentials",
    );
  });

  test("among the annotations, if it is wrong", () => {
    expect(renderAnnotations(right)).toEqual([]);
    expect(renderAnnotations(wrong)).toEqual([
      expect.stringMatching(/^::error title=--without other-credentials::--without other-credentials was/),
    ]);
  });

  test("in the attestation", () => {
    const declared = (report: typeof right) =>
      JSON.parse(renderAttestation(report)).predicate.configuration[0].annotations.declared;
    expect(declared(right)).toEqual({ "without closed-credentials": HELD.replace("--without ", "") });
    expect(declared(wrong)["without other-credentials"]).toContain(
      'other-credentials was declared ("The service has no credentials but',
    );
    expect(declared(undeclared)).toBeUndefined();
    expect(JSON.parse(renderAttestation(right)).predicate.passedTests).not.toContain(
      "authentication.closed-credential",
    );
  });
});
