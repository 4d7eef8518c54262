import type { Report, ReportContext, ReportedClause } from "../model.ts";
import { type Content, html, type Markup } from "../template.ts";
import { clauseDuration, clauseMessage, decisiveChecks } from "../text/clause-message.ts";
import { failureText } from "../text/failure-text.ts";
import { declarationLine, declarationName, ofKind, verdictMeaning } from "../text/labels.ts";

/** Text without the two characters that XML can't contain. JavaScript escapes replace them. */
const legal = (text: string): string =>
  text.replace(/[\uFFFE\uFFFF]/g, (found) => `\\u${found.charCodeAt(0).toString(16)}`);

const seconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(3);

type Element = "failure" | "error" | "skipped" | undefined;

interface Case {
  readonly classname: string;
  readonly name: string;
  readonly time: number;
  readonly element: Element;
  readonly content: Content;
}

const ofElement = (cases: readonly Case[], element: Element): number =>
  cases.filter((one) => one.element === element).length;

const skipped = (message: string): Pick<Case, "element" | "content"> => ({
  element: "skipped",
  content: html`<skipped message="${legal(message)}"/>`,
});

/** The result of a clause. JUnit has neither warnings nor baselines, so failures that don't count are skipped. */
function ending(
  clause: ReportedClause,
  report: Report,
  context: ReportContext,
): Pick<Case, "element" | "content"> {
  const { status, reason = "no reason given", level } = clause;
  const failed = decisiveChecks(clause, report);
  const message = clauseMessage(clause, report);
  const text = () => legal(failed.map((check) => failureText(check, context)).join("\n\n"));
  switch (status) {
    case "passed":
      return { element: undefined, content: undefined };
    case "failed":
      return {
        element: "failure",
        content: html`<failure message="${legal(message)}" type="${level}">${text()}</failure>`,
      };
    case "errored":
      return {
        element: "error",
        content: html`<error message="${legal(message)}" type="${failed[0]?.machine_error ?? "suite"}">${legal(message)}</error>`,
      };
    case "inconsistent":
      return {
        element: "error",
        content: html`<error message="${legal(`inconsistent: ${message}`)}" type="inconsistent">${text()}</error>`,
      };
    case "warned":
      return skipped(`a SHOULD clause failed: ${message}`);
    case "known_failure":
      return skipped(`a known failure: ${message}`);
    case "blocked":
    case "not_applicable":
      return skipped(reason);
    case "skipped":
      return skipped(`not verified: ${reason}`);
    case "not_tested":
      return skipped(`not tested: ${reason}`);
    case "not_claimed":
      return skipped("not claimed");
  }
}

/** A test case for the verdict. With it, the file contains a failure or error whenever the exit code isn't 0. */
function verdictCase(report: Report): Case {
  const { verdict, exit_code, run } = report;
  const text = [`${verdict}: ${verdictMeaning(report)}`, ...run.faults].join("\n");
  const element = ([undefined, "failure", "error", "error"] as const)[exit_code];
  const content =
    element === "failure"
      ? html`<failure message="${verdict}" type="verdict">${legal(text)}</failure>`
      : element === "error"
        ? html`<error message="${verdict}" type="verdict">${legal(text)}</error>`
        : undefined;
  return { classname: "conform", name: "verdict", time: 0, element, content };
}

/** A test case for each declaration, which fails if the run disproved the declaration. */
const declarationCases = (
  { declarations = [] }: Report,
  { declaredIn }: Pick<ReportContext, "declaredIn">,
): readonly Case[] =>
  declarations.map((declaration) => {
    const line = declarationLine(declaration, declaredIn);
    const isDisproved = declaration.disproved_by.length > 0;
    return {
      classname: "conform.declarations",
      name: `${declarationName(declaration.name, declaredIn)}: ${declaration.text}`,
      time: 0,
      element: isDisproved ? "failure" : undefined,
      content: isDisproved
        ? html`<failure message="${legal(line)}" type="declaration">${legal(line)}</failure>`
        : undefined,
    };
  });

/** A skipped test case for each failure of a check that is newer than the version of --as-of. */
const comingCases = (report: Report): readonly Case[] =>
  ofKind(report, "coming_failure").map(({ id, title, since, message = title }) => ({
    classname: "conform.coming",
    name: `${id}: ${title}`,
    time: 0,
    ...skipped(`coming, since ${since}: ${message}`),
  }));

function suiteOf(name: string, cases: readonly Case[], { run, target }: Report): Markup {
  const time = seconds(cases.reduce((sum, one) => sum + one.time, 0));
  return html`<testsuite name="${name}" tests="${cases.length}" failures="${ofElement(cases, "failure")}" errors="${ofElement(cases, "error")}" skipped="${ofElement(cases, "skipped")}" time="${time}" timestamp="${run.started_at}">
<properties><property name="target" value="${legal(target.url)}"/><property name="seed" value="${run.seed}"/></properties>
${cases.map(
  (one) =>
    html`<testcase classname="${one.classname}" name="${legal(one.name)}" time="${seconds(one.time)}">${one.content}</testcase>
`,
)}</testsuite>
`;
}

/** The test cases of the clauses, by level. A check's time is counted in the check's first clause. */
function clauseCases(
  report: Report,
  context: ReportContext,
): readonly (readonly [string, readonly Case[]])[] {
  const stated = new Map(context.clauses.map((clause) => [String(clause.id), clause]));
  const byLevel = Map.groupBy(report.clauses, ({ id }) => stated.get(id)?.claim ?? "other");
  return [...byLevel].map(([level, clauses]) => [
    level,
    clauses.map((clause) => ({
      classname: `conform.${level}.${stated.get(clause.id)?.part ?? "other"}`,
      name: `${clause.id}: ${stated.get(clause.id)?.text ?? ""}`,
      time: clauseDuration(clause, report),
      ...ending(clause, report, context),
    })),
  ]);
}

/**
 * The contents of junit.xml: a test suite for each level, a test case for each clause, and a test case for the verdict.
 * Checks run concurrently, so the sum of their times is longer than the run.
 */
export function renderJunit(report: Report, context: ReportContext): string {
  const declared = declarationCases(report, context);
  const coming = comingCases(report);
  const all = [
    ["verdict", [verdictCase(report)]] as const,
    ...(declared.length > 0 ? [["declarations", declared] as const] : []),
    ...clauseCases(report, context),
    ...(coming.length > 0 ? [["coming", coming] as const] : []),
  ];
  const cases = all.flatMap(([, some]) => some);
  const { suite, run } = report;
  return html`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="${suite.name}" tests="${cases.length}" failures="${ofElement(cases, "failure")}" errors="${ofElement(cases, "error")}" skipped="${ofElement(cases, "skipped")}" time="${seconds(run.duration_ms)}">
${all.map(([name, some]) => suiteOf(name, some, report))}</testsuites>
`.text;
}
