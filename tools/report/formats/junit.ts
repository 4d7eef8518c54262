import { failureText } from "../failure-text.ts";
import { declarationLine, declarationName, kindOf, verdictMeaning } from "../labels.ts";
import type { Report, ReportContext, ReportedCheck } from "../model.ts";
import { type Content, html, type Markup } from "../template.ts";

/** XML can't contain these two, and the template doesn't escape them. They are written as JavaScript escapes. */
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

/** The status of a check in a format without warnings and baselines: failures that don't count are skipped. */
function ending(
  check: ReportedCheck,
  report: Report,
  context: ReportContext,
): Pick<Case, "element" | "content"> {
  const message = check.message ?? check.title;
  switch (kindOf(check, report)) {
    case "passed":
      return { element: undefined, content: undefined };
    case "failed":
      return {
        element: "failure",
        content: html`<failure message="${legal(message)}" type="${check.severity}">${legal(failureText(check, context))}</failure>`,
      };
    case "errored":
      return {
        element: "error",
        content: html`<error message="${legal(message)}" type="${check.machine_error ?? "suite"}">${legal(message)}</error>`,
      };
    case "inconsistent":
      return {
        element: "error",
        content: html`<error message="${legal(`inconsistent: ${message}`)}" type="inconsistent">${legal(failureText(check, context))}</error>`,
      };
    case "warning":
      return skipped(`a SHOULD that doesn't hold: ${message}`);
    case "known_failure":
      return skipped(`a known failure: ${message}`);
    case "coming_failure":
      return skipped(`coming, since ${check.since}: ${message}`);
    case "blocked":
      return skipped(message);
    case "not_testable":
      return skipped(`not testable: ${message}`);
    case "not_applicable":
      return skipped(message);
    case "not_run":
      return skipped("not run");
    case "not_claimed":
      return skipped("not claimed");
  }
}

/** A case for the verdict, so that the file is green only if the exit code is 0. */
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

/** A case for each declaration, which fails if the run disproves it. */
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

/**
 * junit.xml: a test suite for each level, a test case for each check, and one for the verdict. Times are in seconds.
 * Checks run concurrently, so the times add up to more than the run's duration.
 */
export function renderJunit(report: Report, context: ReportContext): string {
  const byLevel = Map.groupBy(report.checks, ({ level }) => level);
  const groups: (readonly [string, readonly Case[]])[] = [...byLevel].map(([level, checks]) => [
    level,
    checks.map((check) => ({
      classname: `conform.${level}.${check.id.split(".")[0]}`,
      name: `${check.id}: ${check.title}`,
      time: check.duration_ms,
      ...ending(check, report, context),
    })),
  ]);
  const declared = declarationCases(report, context);
  const all = [
    ["verdict", [verdictCase(report)]] as const,
    ...(declared.length > 0 ? [["declarations", declared] as const] : []),
    ...groups,
  ];
  const cases = all.flatMap(([, some]) => some);
  const { suite, run } = report;
  return html`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="${suite.name}" tests="${cases.length}" failures="${ofElement(cases, "failure")}" errors="${ofElement(cases, "error")}" skipped="${ofElement(cases, "skipped")}" time="${seconds(run.duration_ms)}">
${all.map(([name, some]) => suiteOf(name, some, report))}</testsuites>
`.text;
}
