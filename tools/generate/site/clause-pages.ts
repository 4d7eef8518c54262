import type { Clause, ClauseList } from "../../../suites/core/contract/clause-list.ts";
import type { Suite, SuiteCheck } from "../../../suites/core/grading/suite.ts";
import { type Content, html, type Markup } from "../../report/template.ts";
import { sinceVersions } from "../../versions/versions.ts";
import { inline } from "../docs/text.ts";
import type { SitePage } from "./layout.ts";

/** The data for the pages of the clause list. */
export interface ClauseListSource {
  readonly catalogue: ClauseList;
  readonly suites: readonly Suite[];
}

const partId = (part: string): string => `part-${part}`;

function checkItem(check: SuiteCheck, since: (id: string) => string): Markup {
  return html`<li id="${check.id}"><code>${check.id}</code> ${check.title} <span class="quiet">level ${check.level}, since ${since(check.id)}</span></li>`;
}

/** A check is shown in full below the first of its clauses, and linked from the others. */
function clauseItem(clause: Clause, checks: readonly SuiteCheck[], since: (id: string) => string): Markup {
  const own = checks.filter(({ clauses }) => clauses.includes(clause.id));
  const shown = own.map((check) =>
    check.clauses[0] === clause.id
      ? checkItem(check, since)
      : html`<li><a href="#${check.id}"><code>${check.id}</code></a></li>`,
  );
  return html`<li id="${clause.id}"><p><strong>${clause.id}</strong> ${inline(clause.text)}</p>
<p class="quiet">${clause.level}, ${clause.subject}, level ${clause.claim}, under “${clause.section}”</p>
${clause.excluded === undefined ? html`<ul>${shown}</ul>` : html`<p class="quiet">No check: ${clause.excluded}</p>`}</li>`;
}

/** Every clause with its checks, and the declarations. */
export function clausesPage({ catalogue, suites }: ClauseListSource): SitePage {
  const since = sinceVersions();
  const checks = suites.flatMap((suite) => suite.checks);
  const parts = Object.entries(catalogue.parts)
    .map(([part, name]) => ({
      part,
      name,
      clauses: catalogue.clauses.filter((clause) => clause.part === part),
    }))
    .filter(({ clauses }) => clauses.length > 0);
  const sections = parts.map(
    ({ part, name, clauses }) =>
      html`<section aria-labelledby="${partId(part)}"><h2 id="${partId(part)}">${name}</h2><ul class="entries">${clauses.map((clause) => clauseItem(clause, checks, since))}</ul></section>`,
  );
  const declared = catalogue.declarations.map(
    ({ name, subject, text, section, sentence, clauses }) =>
      html`<li id="without-${name}"><p><code>--without ${name}</code> ${text}</p><p class="quiet">${subject}, by “${sentence}” (${section}). Not applicable then: ${clauses.map((id, index) => html`${index > 0 ? ", " : ""}<a href="#${id}">${id}</a>`)}</p></li>`,
  );
  const links: Content = parts.map(({ part, name }) => html`<li><a href="#${partId(part)}">${name}</a></li>`);
  return {
    path: "clauses.html",
    title: "Clauses",
    place: "clauses.html",
    contents: html`<p>On this page</p><ul>${links}<li><a href="#declarations">What can be declared</a></li></ul>`,
    main: html`<h1>Clauses and their checks</h1>
<p>${catalogue.clauses.length} normative statements of the specification, in our own words, and the ${checks.length} checks that verify them. Each shows whether it is a MUST or a SHOULD, and the level that verifies it.</p>
${sections}
<section aria-labelledby="declarations"><h2 id="declarations">What can be declared not to occur</h2><p>Some clauses apply only to cases that may never occur. If an implementation declares that a case never occurs, the case's clauses are not applicable, and a run in which the case occurs fails.</p><ul class="entries">${declared}</ul></section>`,
  };
}

/** The open points of the specification, and how the suite handles each. */
export function openPointsPage({ catalogue }: ClauseListSource): SitePage {
  const groups = [...Map.groupBy(catalogue.open_points, ({ where }) => where)];
  const id = (index: number) => `where-${index + 1}`;
  const sections = groups.map(
    ([where, points], index) =>
      html`<section aria-labelledby="${id(index)}"><h2 id="${id(index)}">${where}</h2><ul class="entries">${points.map(
        (point) =>
          html`<li id="${point.id}"><p><strong>${point.id}</strong> ${inline(point.text)}</p><ul>${point.choices.map((choice) => html`<li>${inline(choice)}</li>`)}</ul><p class="quiet">${inline(point.coping)}</p></li>`,
      )}</ul></section>`,
  );
  return {
    path: "open-points.html",
    title: "Open points",
    place: "open-points.html",
    contents: html`<p>On this page</p><ul>${groups.map(([where], index) => html`<li><a href="#${id(index)}">${where}</a></li>`)}</ul>`,
    main: html`<h1>Open points</h1>
<p>What the specification leaves open, what a service may therefore do, and how the suite handles it. No check depends on these choices.</p>
${sections}`,
  };
}
