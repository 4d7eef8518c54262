import { changedIds } from "../../comparison/compare.ts";
import { DOCUMENT_STYLES, inlined } from "../inlined.ts";
import type { Report, ReportContext, ReportedCheck } from "../model.ts";
import { renderSingleFile } from "../single-file-page.ts";
import { type Content, html, type Markup } from "../template.ts";
import { counted } from "../text/counted.ts";
import { KIND_LABELS, KINDS, type Kind, kindOf, ofKind } from "../text/labels.ts";
import { byCause, causeList, diagnosisList, outline } from "./causes.ts";
import { checkCard, partOf, SIGNS } from "./check.ts";
import { clauseTable } from "./clauses.ts";
import { facts, levelCards, masthead, remarks } from "./overview.ts";
import { wireBlocks } from "./wire.ts";

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
function matrix(report: Report, context: ReportContext): Content {
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

/** Changes since the last run on the same target, with links to the checks; empty if there are none. */
function changeList({ changes }: ReportContext): Content {
  if (changes === undefined) return undefined;
  const items = changedIds(changes).map(
    ([word, ids]) =>
      html`<details><summary>${ids.length} ${word}</summary><ul>${ids.map((id) => html`<li><a href="#${id}">${id}</a></li>`)}</ul></details>`,
  );
  if (items.length === 0) return undefined;
  return html`<section aria-labelledby="changes-title"><h2 id="changes-title">Since the last run</h2>${items}</section>`;
}

const STYLES = [
  "page.css",
  "overview.css",
  "causes.css",
  "matrix.css",
  "clauses.css",
  "filter.css",
  "check.css",
  "timeline.css",
];
const fileOf = (name: string): URL => new URL(name, import.meta.url);

/** The kinds whose checks are collapsed. */
const COLLAPSED: readonly Kind[] = [
  "blocked",
  "not_verified",
  "not_applicable",
  "not_run",
  "passed",
  "not_claimed",
];

function group(report: Report, context: ReportContext, kind: Kind): Content {
  const checks = byCause(report, kind);
  if (checks.length === 0) return undefined;
  const { name, meaning } = KIND_LABELS[kind];
  return html`<details class="group" id="status=${kind}" data-group="${kind}"${COLLAPSED.includes(kind) ? undefined : html` open`}>
<summary><h3>${name} <span class="amount">${checks.length}</span></h3> <span class="small">${meaning}</span></summary>
${checks.map((check) => checkCard(check, report, context))}
</details>`;
}

const option = (value: string, name: string): Markup => html`<option value="${value}">${name}</option>`;
const choice = (name: string, label: string, options: readonly Markup[]): Markup =>
  html`<label>${label}<select name="${name}">${option("", "all")}${options}</select></label>`;

/** The filter for checks, which is hidden without the script. */
function filter(report: Report, context: ReportContext): Markup {
  const used = new Set(report.checks.map((check) => partOf(check, context)));
  return html`<form class="filter" role="search" aria-label="Filter the checks" hidden>
<label>Text<input type="search" name="text" placeholder="id, clause, message …" autocomplete="off"></label>
${choice(
  "status",
  "Status",
  KINDS.filter((kind) => ofKind(report, kind).length > 0).map((kind) => option(kind, SIGNS[kind].word)),
)}
${choice(
  "level",
  "Level",
  Object.keys(report.levels).map((level) => option(level, level)),
)}
${choice(
  "part",
  "Part",
  Object.entries(context.parts)
    .filter(([part]) => used.has(part))
    .map(([part, name]) => option(part, name)),
)}
<span class="buttons"><button type="reset">Show all</button><button type="button" data-fold="open">Unfold</button><button type="button" data-fold="shut">Fold</button></span>
<output aria-live="polite">${counted(report.checks.length, "check")}</output>
</form>`;
}

const HOW_TO_READ = html`<details class="how"><summary>How to read a failure</summary>
<p>Each failure begins with a clause: a statement of the specification. Read it in the specification first, then compare the expected with the actual value, then read the request and the response.</p>
<ul><li>If the request and response contradict the specification, the tested implementation is wrong.</li>
<li>If the check requires more than the clause, the suite is wrong.</li>
<li>If the API document contradicts the specification, the document is wrong.</li></ul>
<p>The curl command repeats the request: set <code>$TOKEN</code> to a token, and replace each [redacted] with your own value. The command below it runs this check by itself, with the same seed.</p></details>`;

/** The colour of the browser tab's icon for each verdict. */
const COLOURS = {
  CONFORMANT: "1a7f4b",
  NONCONFORMANT: "c1272d",
  INCOMPLETE: "a15c00",
  ERROR: "7d3ac1",
} as const;
const icon = ({ verdict }: Report): string =>
  `data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 8 8'%3E%3Ccircle cx='4' cy='4' r='4' fill='%23${COLOURS[verdict]}'/%3E%3C/svg%3E`;

/** The contents of report.html: a page without external resources, which is readable without its script. */
export function renderHtml(report: Report, context: ReportContext): string {
  const style = inlined(...DOCUMENT_STYLES, ...STYLES.map(fileOf));
  const script = inlined(fileOf("behaviour.js"), fileOf("exchanges.js"));
  const isFaulty = report.run.faults.length > 0;
  const body = html`${masthead(report)}
<main>
${isFaulty ? remarks(report) : undefined}
${causeList(report)}
${changeList(context)}
<section id="status=" aria-labelledby="checks" class="checks"><h2 id="checks" tabindex="-1">Checks</h2>
${filter(report, context)}
<div class="beside">${outline(report)}
<div>
<p class="nothing" hidden>No check matches this filter.</p>
${KINDS.map((kind) => group(report, context, kind))}
${report.headline === undefined ? undefined : HOW_TO_READ}
</div></div>
</section>
${diagnosisList(report)}
${levelCards(report)}
${isFaulty ? undefined : remarks(report)}
${matrix(report, context)}
${clauseTable(report, context)}
${facts(report)}
</main>
<footer><h2>Repeat the run</h2>
<div class="copyable"><pre data-copy="Command">${context.repeatRun}</pre></div>
<p class="small">Made by ${report.suite.name} ${report.suite.version}. SHA-256 of its API document: <code>${report.suite.document_sha256}</code>. The same data, for programs: report.json.</p></footer>
<p class="visually-hidden" role="status" id="said"></p>
${wireBlocks(report, context)}`;
  return renderSingleFile({
    title: `${report.verdict}: ${report.target.url}`,
    icon: icon(report),
    style,
    script,
    skip: { to: "checks", words: "Skip to the checks" },
    body,
  });
}
