import type { Report, ReportContext, ReportedClause } from "../model.ts";
import { type Content, html, type Markup } from "../template.ts";
import { CLAUSE_STATUSES, clausesByStatus } from "../text/clause-labels.ts";
import { withCode } from "./check.ts";

/** The failed cases of a clause, or why it wasn't verified. */
const clauseDetail = ({ cases, reason }: ReportedClause): string => reason ?? cases?.join("; ") ?? "";

/** The results that need no action. Their tables are collapsed. */
const COLLAPSED: readonly ReportedClause["status"][] = [
  "passed",
  "not_applicable",
  "not_tested",
  "not_claimed",
];

/** The number of cases that a row shows. */
const MAX_CASES = 12;
const detail = (clause: ReportedClause): string =>
  clauseDetail({ ...clause, ...(clause.cases && { cases: shown(clause.cases) }) });
const shown = (cases: readonly string[]): readonly string[] =>
  cases.length > MAX_CASES ? [...cases.slice(0, MAX_CASES), `${cases.length - MAX_CASES} more`] : cases;

function row(clause: ReportedClause, { clauses }: ReportContext): Markup {
  const checks = clause.checks.map(
    ({ id, status }, place) =>
      html`${place > 0 ? ", " : ""}<a href="#${id}">${id}</a>${status === clause.status ? undefined : ` (${CLAUSE_STATUSES[status].word})`}`,
  );
  const text = clauses.find(({ id }) => id === clause.id)?.text;
  const found = detail(clause);
  return html`<tr id="clause-${clause.id}"><th scope="row">${clause.id}</th><td>${clause.level}</td><td>${text && withCode(text)}${found === "" ? undefined : html`<p class="found">${found}</p>`}</td><td>${checks}</td></tr>
`;
}

/** A table for each result. A row has a clause, its failed cases or the reason, and its checks. */
export function clauseTable(report: Report, context: ReportContext): Content {
  const groups = clausesByStatus(report).map(
    ([status, clauses]) =>
      html`<details class="clauses-of"${COLLAPSED.includes(status) ? undefined : html` open`}>
<summary><h3><span aria-hidden="true">${CLAUSE_STATUSES[status].sign}</span> ${CLAUSE_STATUSES[status].word} <span class="amount">${clauses.length}</span></h3></summary>
<div class="wide"><table class="results"><caption class="visually-hidden">Clauses: ${CLAUSE_STATUSES[status].word}</caption>
<thead><tr><th scope="col">Clause</th><th scope="col">Level</th><th scope="col">What it says, and the failed cases or the reason</th><th scope="col">Checks</th></tr></thead>
<tbody>${clauses.map((clause) => row(clause, context))}</tbody></table></div>
</details>`,
  );
  return html`<section aria-labelledby="clauses-title" class="clause-results"><h2 id="clauses-title">Clauses</h2>${groups}</section>`;
}
