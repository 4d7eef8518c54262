import { asCounted, leads } from "../causes.ts";
import { fitLabel, othersLabel, usualCauses } from "../diagnosis/diagnosis.ts";
import { KIND_LABELS, type Kind, ofKind } from "../labels.ts";
import type { Report } from "../model.ts";
import { type Content, html } from "../template.ts";

/** What explains several failures, with the check to begin with: what stands under the verdict. */
export function causeList({ causes, checks: all, run }: Report): Content {
  if (causes.length === 0) return undefined;
  const items = causes.map(
    ({ what, check, checks }) =>
      html`<li><span class="amount">${checks.length}</span> <a href="#${check}">${what}</a> <span class="small">${check}</span></li>`,
  );
  const counted = asCounted(all, run);
  const title = causes.slice(0, 1).some((cause) => leads(cause, counted))
    ? "Begin with the first"
    : "Failures alike";
  return html`<section aria-labelledby="causes-title"><h2 id="causes-title">${title}</h2><ol class="causes">${items}</ol></section>`;
}

/** Known faults that the run looks like; nothing where none fits. */
export function diagnosisList({ diagnoses = [] }: Report): Content {
  const [first] = diagnoses;
  if (!first) return undefined;
  const items = diagnoses.map(
    (one) =>
      html`<li><a href="#${one.checks[0]}">${one.fault}</a> <span class="small">${fitLabel(one)}</span></li>`,
  );
  const causes = first.causes.map((cause) => html`<li>${cause}</li>`);
  return html`<section aria-labelledby="diagnosis-title"><h2 id="diagnosis-title">It fails like a server where</h2><ol class="causes">${items}</ol><p>${othersLabel(diagnoses)}</p><p>${usualCauses(first)}</p><ul>${causes}</ul></section>`;
}

/** Kinds of which each check has its place in the outline. */
const OUTLINED: readonly Kind[] = [
  "failed",
  "inconsistent",
  "errored",
  "warning",
  "known_failure",
  "coming_failure",
];

/** The failures by name, beside the checks: it stays while one reads. Nothing where nothing failed. */
export function outline(report: Report): Content {
  const kinds = OUTLINED.map((kind) => [kind, ofKind(report, kind)] as const).filter(
    ([, checks]) => checks.length > 0,
  );
  if (kinds.length === 0) return undefined;
  const parts = kinds.map(
    ([kind, checks]) =>
      html`<h3>${KIND_LABELS[kind].name} <span class="amount">${checks.length}</span></h3><ul>${checks.map(({ id }) => html`<li><a href="#${id}">${id}</a></li>`)}</ul>`,
  );
  return html`<nav class="outline" aria-label="Failures">${parts}</nav>`;
}
