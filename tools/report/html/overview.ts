import type { DeclarationFinding } from "../../../suites/core/grading/clauses/declarations.ts";
import type { KnownFailure, Report, ReportedCheck } from "../model.ts";
import { type Content, html, type Markup } from "../template.ts";
import { knownFailureLine } from "../text/clause-labels.ts";
import { counted } from "../text/counted.ts";
import {
  asOfLine,
  durationLabel,
  exitLabel,
  filteredLine,
  goneLine,
  KINDS,
  ofKind,
  repeatedLine,
  unverified,
  verdictMeaning,
  verdictReasons,
} from "../text/labels.ts";
import { SIGNS } from "./check.ts";

/** A tab with the number of checks for each kind. With the script, a tab filters the checks. */
function tabs(report: Report): Markup {
  const kinds = KINDS.map((kind) => [kind, ofKind(report, kind).length] as const);
  const links = kinds
    .filter(([, count]) => count > 0)
    .map(
      ([kind, count]) =>
        html` <a class="${kind}" href="#status=${kind}" data-status="${kind}"><span aria-hidden="true">${SIGNS[kind].sign}</span> ${SIGNS[kind].word} <span class="amount">${count}</span></a>`,
    );
  return html`<nav class="tabs" aria-label="Results"><a href="#status=" data-status="">all <span class="amount">${report.checks.length}</span></a>${links}</nav>`;
}

const levelVerdicts = ({ levels }: Report): Markup =>
  html`<ul class="levels" aria-label="Levels">${Object.entries(levels).map(
    ([level, { verdict }]) =>
      html`<li>${level} <a class="verdict ${verdict}" href="#levels-title">${verdict.replace("_", " ")}</a></li>`,
  )}</ul>`;

const startTime = ({ started_at }: Report["run"]): Markup =>
  html`<time datetime="${started_at}">${started_at.replace("T", " ").replace(/(?::\d+\.\d+)?Z$/, " UTC")}</time>`;

const fact = (name: string, value: Content): Markup => html`<div><dt>${name}</dt><dd>${value}</dd></div>`;

/** The target, date, verdict and counts. */
export function masthead(report: Report): Markup {
  const { verdict, target, run, headline: failures } = report;
  return html`<header>
<p class="kind">Conformance report</p>
<h1>${target.url}</h1>
<p class="verdict ${verdict}">${verdict}</p>${failures === undefined ? undefined : html` <strong class="headline">${failures}</strong>`}
<p>${verdictMeaning(report)} The command ended with exit code ${exitLabel(report)}.</p>${verdictReasons(
    report,
  ).map(
    (line) => html`
<p>${line}</p>`,
  )}${asOfLine(report).map(
    (line) => html`
<p>${line}</p>`,
  )}
${levelVerdicts(report)}
<p class="small">${startTime(run)}, took ${durationLabel(run.duration_ms)}, ${counted(run.requests, "request")}</p>
${tabs(report)}
</header>`;
}

export function facts({ target, run, suite }: Report): Markup {
  return html`<section aria-labelledby="run-title"><h2 id="run-title">The run</h2><dl class="facts">${[
    fact("Certified as", suite.subject),
    fact("Version", target.version ?? "unknown"),
    fact("Seed", run.seed),
    fact("Checks at a time", run.jobs),
    fact("Suite", `${suite.name} ${suite.version}`),
  ]}</dl></section>`;
}

/** A card for each level with its verdict and the results of its clauses. */
export function levelCards({ levels, declarations }: Report): Markup {
  const columns = ["passed", "failed", "not verified", ...(declarations ? ["not applicable"] : [])];
  const cards = Object.entries(levels).map(([level, { verdict, must, should }]) => {
    const row = (name: string, count: typeof must) =>
      html`<tr><th scope="row">${name}</th><td>${count.passed}</td><td>${count.failed}</td><td>${count.not_verified}</td>${declarations && html`<td>${count.not_applicable}</td>`}</tr>`;
    return html`<li class="card ${verdict}"><h3>${level}</h3><p class="verdict ${verdict}">${verdict.replace("_", " ")}</p>
<table><caption class="visually-hidden">Clauses of ${level}</caption><thead><tr><th scope="col">Clauses</th>${columns.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${row("MUST", must)}${row("SHOULD", should)}</tbody></table></li>`;
  });
  return html`<section aria-labelledby="levels-title"><h2 id="levels-title">Levels</h2><ul class="cards">${cards}</ul></section>`;
}

const named = (checks: readonly ReportedCheck[]): Content =>
  checks.map(({ id }, index) => html`${index > 0 ? ", " : ""}<a href="#${id}">${id}</a>`);

const entry = (known: KnownFailure): Content =>
  html`<li><a href="#clause-${known.clause}">${knownFailureLine(known)}</a></li>`;

/**
 * A declaration with its source in the specification, and the inapplicable clauses or the observations that disproved it.
 */
const declarationItem = ({
  name,
  text,
  section,
  sentence,
  clauses,
  disproved_by,
}: DeclarationFinding): Content => {
  const outcome =
    disproved_by.length === 0
      ? html`Not applicable: ${clauses.join(", ")}.`
      : html`<strong>Disproved</strong>: ${disproved_by.map(
          ({ check, seen }, index) =>
            html`${index > 0 ? "; " : ""}<a href="#${check}">${check}</a> observed it (${seen})`,
        )}.`;
  return html`<li><code>${name}</code>: ${text} ${outcome} <span class="small">${section}: “${sentence}”</span></li>`;
};

/** The faults of the run, the baseline's entries, and unverified checks. */
export function remarks(report: Report): Content {
  const { run, baseline, declarations = [], left_behind = [], outages = [] } = report;
  const list = (title: string, items: readonly Content[]) =>
    items.length === 0 ? [] : [html`<h3>${title}</h3><ul>${items}</ul>`];
  const missing = [...unverified(report)].map(
    ([reason, checks]) =>
      html`<li>${reason} <details><summary>${checks.length} ${checks.length === 1 ? "check" : "checks"}</summary>${named(checks)}</details></li>`,
  );
  const blocks = [
    ...repeatedLine(report).map((line) => html`<p>${line}</p>`),
    ...list(
      "Outages of the target",
      outages.map((line) => html`<li>${line}</li>`),
    ),
    ...list("Declared limitations", declarations.map(declarationItem)),
    ...list(
      "Faults of the run",
      run.faults.map((fault) => html`<li>${fault}</li>`),
    ),
    ...filteredLine(report).map((line) => html`<p>${line}</p>`),
    ...(run.ended_early ?? []).map((line) => html`<p>${line}</p>`),
    ...list("Not verified, and why", missing),
    ...list(
      "Known failures that no longer fail: remove them from the baseline",
      (baseline?.stale ?? []).map(entry),
    ),
    ...list("Expired known failures", (baseline?.overdue ?? []).map(entry)),
    ...list(
      "Still on the target",
      left_behind.map(({ kind, count, why }) => html`<li>${count} × ${kind}: ${why}</li>`),
    ),
    ...goneLine(report).map((line) => html`<p>${line}</p>`),
    ...list("Known failures", (baseline?.known ?? []).map(entry)),
  ];
  return blocks.length === 0
    ? undefined
    : html`<section aria-labelledby="remarks-title"><h2 id="remarks-title">Notes</h2>${blocks}</section>`;
}
