import type { ClauseList } from "../../../suites/core/contract/clause-list.ts";
import { html, type Markup } from "../../report/template.ts";
import { CLAUSE_STATUSES } from "../../report/text/clause-labels.ts";
import { counted } from "../../report/text/counted.ts";
import { certifiedLevels, openFailures } from "../../results/certified.ts";
import type { Entry } from "../../results/entry.ts";
import type { SitePage } from "./layout.ts";

/** The path of an entry's report from the site's folder. */
export const reportPath = ({ path }: Entry): string => `results/${path}/report.html`;

function openItems({ report }: Entry): Markup | undefined {
  const failures = openFailures(report);
  if (failures.length === 0) return undefined;
  return html`<details><summary>${counted(failures.length, "open failure")}</summary><ul>${failures.map(
    ({ id, clauses, severity, message, title }) =>
      html`<li><a href="clauses.html#${clauses[0] ?? ""}"><code>${id}</code></a> <span class="quiet">${severity}</span> ${message ?? title}</li>`,
  )}</ul></details>`;
}

function row(entry: Entry): Markup {
  const { implementation, report, path, unverified } = entry;
  const levels = certifiedLevels(report);
  return html`<tr id="${path.replace("/", "-")}"><th scope="row"><a href="${implementation.url}">${implementation.name}</a> ${implementation.version}<br><span class="quiet">${report.suite.subject}, by ${implementation.by}</span></th>
<td><span class="pill ${report.verdict}">${report.verdict}</span>${openItems(entry)}</td>
<td>${levels.length > 0 ? levels.join(", ") : "none"}${report.as_of ? html`<br><span class="quiet">as of ${report.as_of.version}</span>` : undefined}</td>
<td>${report.suite.version}${unverified ? html`<br><span class="quiet">not verified here</span>` : undefined}</td>
<td>${report.run.started_at.slice(0, 10)}<br><a href="${reportPath(entry)}">report</a></td></tr>`;
}

/**
 * A clause's result for an entry, as a symbol and a word. Empty if the clause isn't about this kind of
 * target.
 */
function cell({ report }: Entry, id: string): Markup {
  const status = report.clauses.find((clause) => clause.id === id)?.status;
  if (status === undefined) return html`<td></td>`;
  const { sign, word } = CLAUSE_STATUSES[status];
  return html`<td title="${word}"><span aria-hidden="true">${sign}</span><span class="visually-hidden">${word}</span></td>`;
}

/**
 * A table of clauses × implementations for each part of the specification. MUST and SHOULD have separate
 * columns.
 */
function clauseMatrix(entries: readonly Entry[], { clauses, parts }: ClauseList): Markup {
  const subjects = new Set(entries.map(({ report }) => report.suite.subject));
  const heads = entries.map(
    ({ implementation: { name, version } }) => html`<th scope="col">${name} ${version}</th>`,
  );
  const tables = Object.entries(parts).flatMap(([part, name]) => {
    const rows = clauses
      .filter((clause) => clause.part === part && subjects.has(clause.subject))
      .map(
        ({ id, level, text }) =>
          html`<tr><th scope="row"><a href="clauses.html#${id}">${id}</a></th><td>${level}</td>${entries.map((entry) => cell(entry, id))}<td class="quiet">${text}</td></tr>`,
      );
    if (rows.length === 0) return [];
    return [
      html`<details><summary>${name} (${counted(rows.length, "clause")})</summary><div class="wide" role="region" tabindex="0" aria-label="Clauses: ${name}"><table><thead><tr><th scope="col">Clause</th><th scope="col">Level</th>${heads}<th scope="col">What it says</th></tr></thead><tbody>${rows}</tbody></table></div></details>`,
    ];
  });
  const legend = Object.values(CLAUSE_STATUSES).map(({ sign, word }) => `${sign} ${word}`);
  return html`<h2>Clause by clause</h2><p class="quiet">${legend.join(", ")}. A failed SHOULD clause is “warned”.</p>${tables}`;
}

/**
 * The certified implementations with their levels, suite version, open failures and the result of each
 * clause.
 */
export function resultsPage(entries: readonly Entry[], clauseList: ClauseList): SitePage {
  const heads = ["Implementation", "Verdict", "Conformant at", "By suite", "Run"];
  return {
    path: "results.html",
    title: "Results",
    place: "results.html",
    main: html`<h1>Results</h1>
<p>Implementations with their certified levels, the suite's version and open failures. Each entry is a report with its attestation, and the pipeline verifies it in every run: <a href="guides/results.html">what is verified, and how to submit a result</a>.</p>
${
  entries.length === 0
    ? html`<p>There is no result yet.</p>`
    : html`<div class="wide" role="region" tabindex="0" aria-label="Results"><table><thead><tr>${heads.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead><tbody>${entries.map(row)}</tbody></table></div>${clauseMatrix(entries, clauseList)}`
}`,
  };
}
