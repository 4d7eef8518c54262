import type { Report, ReportContext, ReportedCheck } from "../model.ts";
import { type Content, html, type Markup } from "../template.ts";
import { KINDS, type Kind, kindOf } from "../text/labels.ts";
import { partOf, SIGNS } from "./check.ts";

const linkTo = (filter: Readonly<Record<string, string>>): string => `#${new URLSearchParams(filter)}`;

/** The number of checks of each kind, from worst to best, without excluded checks. */
function tally(checks: readonly ReportedCheck[], report: Report): readonly (readonly [Kind, number])[] {
  return KINDS.map(
    (kind) => [kind, checks.filter((check) => kindOf(check, report) === kind).length] as const,
  ).filter(([, count]) => count > 0);
}

interface CellPosition {
  readonly part: string;
  readonly name: string;
  readonly level: string;
}

function cell(counts: readonly (readonly [Kind, number])[], { part, name, level }: CellPosition): Markup {
  const [worst] = counts;
  if (!worst)
    return html`<td class="none"><span aria-hidden="true">·</span><span class="visually-hidden">none</span></td>`;
  const shown = counts.map(
    ([kind, count]) =>
      html`<span class="count ${kind}"><span aria-hidden="true">${SIGNS[kind].sign}</span>${count}<span class="visually-hidden"> ${SIGNS[kind].word}, </span></span> `,
  );
  return html`<td class="${worst[0]}"><a href="${linkTo({ level, part })}"><span class="visually-hidden">${name}, ${level}: </span>${shown}</a></td>`;
}

/** A table of parts of the specification × levels with the counts of results, linked to the checks. */
export function matrix(report: Report, context: ReportContext): Content {
  const levels = Object.keys(report.levels);
  const byPart = Map.groupBy(report.checks, (check) => partOf(check, context));
  const rows = Object.entries(context.parts).flatMap(([part, name]) => {
    const checks = byPart.get(part);
    if (!checks) return [];
    const cells = levels.map((level) =>
      cell(
        tally(
          checks.filter((check) => check.level === level),
          report,
        ),
        { part, name, level },
      ),
    );
    return [html`<tr><th scope="row">${name}</th>${cells}</tr>`];
  });
  const legend = tally(report.checks, report).map(
    ([kind]) => html`<li><span aria-hidden="true">${SIGNS[kind].sign}</span> ${SIGNS[kind].word}</li>`,
  );
  return html`<section aria-labelledby="matrix-title">
<h2 id="matrix-title">Parts and levels</h2>
<div class="wide"><table class="matrix"><caption>Checks by part of the specification and by level</caption>
<thead><tr><th scope="col">Part</th>${levels.map((level) => html`<th scope="col">${level}</th>`)}</tr></thead>
<tbody>${rows}</tbody></table></div>
<ul class="legend" aria-label="Signs">${legend}</ul>
</section>`;
}
