import { asCounted, isFirstToFix } from "../causes/causes.ts";
import { fitLabel } from "../diagnosis/diagnosis.ts";
import { usualCausesHeading } from "../diagnosis/usual-causes.ts";
import type { Report, ReportedCheck } from "../model.ts";
import { type Content, html } from "../template.ts";
import { counted } from "../text/counted.ts";
import { KIND_LABELS, type Kind, ofKind } from "../text/labels.ts";

/** The maximum number of failures in the list if no two have a common cause. The rest of the page shows all failures. */
const MAX_LISTED = 5;

/** The causes of failures, or the first failures if no two have a common cause. */
export function causeList(report: Report): Content {
  const { causes, checks: all, run } = report;
  const failed = ofKind(report, "failed");
  const alone = failed
    .slice(0, MAX_LISTED)
    .map(({ id, title, message = title }) => ({ what: message, check: id, checks: [id] }));
  const listed = causes.length > 0 ? causes : alone;
  if (listed.length === 0) return undefined;
  const others = causes.length > 0 ? 0 : failed.length - alone.length;
  const items = listed.map(
    ({ what, check, checks }) =>
      html`<li><span class="amount">${checks.length}</span> <a href="#${check}">${what}</a> <span class="small">${check}</span></li>`,
  );
  const judged = asCounted(all, run);
  const title = causes.slice(0, 1).some((cause) => isFirstToFix(cause, judged))
    ? "Begin with the first"
    : causes.length > 0
      ? "Failures alike"
      : "Failures";
  return html`<section aria-labelledby="causes-title"><h2 id="causes-title">${title}</h2><ol class="causes">${items}</ol>${others > 0 ? html`<p>The page shows ${counted(others, "more failure")} below.</p>` : undefined}</section>`;
}

/** The known faults that explain the run, and the usual causes of its failures; empty if there are none. */
export function diagnosisList({ diagnoses = [], usual_causes }: Report): Content {
  if (diagnoses.length === 0 && !usual_causes) return undefined;
  const items = diagnoses.map(
    (one) =>
      html`<li><a href="#${one.checks[0]}">${one.fault}</a> <span class="small">${fitLabel(one)}</span></li>`,
  );
  const faults =
    items.length === 0
      ? undefined
      : html`<p>Known faults that fail the same checks (yours may be another):</p><ol class="causes">${items}</ol>`;
  const causes =
    usual_causes &&
    html`<p>${usualCausesHeading(usual_causes)}</p><ul>${usual_causes.causes.map((cause) => html`<li>${cause}</li>`)}</ul>`;
  return html`<section aria-labelledby="diagnosis-title"><h2 id="diagnosis-title">Possible causes</h2>${faults}${causes}</section>`;
}

/**
 * The checks of a kind: first those that a cause explains, in the order of the causes, then the rest in the suite's order.
 */
export function byCause(report: Report, kind: Kind): readonly ReportedCheck[] {
  const order = report.causes.flatMap(({ check, checks }) => [check, ...checks]);
  const place = ({ id }: ReportedCheck) => (order.includes(id) ? order.indexOf(id) : order.length);
  return ofKind(report, kind).toSorted((a, b) => place(a) - place(b));
}

/** The kinds whose checks are in the outline. */
const OUTLINED: readonly Kind[] = [
  "failed",
  "inconsistent",
  "errored",
  "warning",
  "known_failure",
  "coming_failure",
];

/** The sidebar with the names of failures; empty if no check failed. */
export function outline(report: Report): Content {
  const kinds = OUTLINED.map((kind) => [kind, byCause(report, kind)] as const).filter(
    ([, checks]) => checks.length > 0,
  );
  if (kinds.length === 0) return undefined;
  const parts = kinds.map(
    ([kind, checks]) =>
      html`<h3>${KIND_LABELS[kind].name} <span class="amount">${checks.length}</span></h3><ul>${checks.map(({ id }) => html`<li><a href="#${id}">${id}</a></li>`)}</ul>`,
  );
  return html`<nav class="outline" aria-label="Failures">${parts}</nav>`;
}
