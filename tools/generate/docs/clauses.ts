import { type Clause, setsOf } from "../../../suites/core/contract/clause-list.ts";
import { elementSets, type SetName } from "../../../suites/core/contract/element-sets.ts";
import type { SuiteCheck } from "../../../suites/core/grading/suite.ts";
import { html, type Markup } from "../../report/template.ts";
import { inline, joined } from "./text.ts";

/** The specification's headings about each group of operations. */
export const SECTIONS: Readonly<Record<string, readonly string[]>> = {
  General: ["What the service does", "Endpoints", "Errors", "Limits"],
  Token: ["Token", "Authentication"],
  Stores: ["Stores", "Store (restaurant link)"],
  Quotes: ["Quotes and areas", "Quote"],
  "Delivery areas": ["Delivery area"],
  Deliveries: ["Deliveries", "Delivery", "States and transitions"],
  Proofs: ["Proofs", "Proof (delivery photo)"],
  "Payment types": ["Payment types", "Payment type"],
  Webhooks: ["Webhook subscriptions", "Webhook subscription"],
  Events: [
    "Events",
    "Envelope",
    "Event kinds",
    "Request headers of a delivery attempt",
    "Signature",
    "Delivery, retry and closing",
    "Which operation emits which event",
  ],
  Tracking: ["Public tracking"],
  Health: ["Health", "Versioning"],
};

/** The set over which a clause is quantified, such as `all 3 statuses: …`. Elements that depend on the target aren't listed. */
function setText(name: SetName): string {
  const { label, elements } = elementSets[name];
  return elements.length === 0 ? `all ${label}` : `all ${elements.length} ${label}: ${elements.join(", ")}`;
}

/** The clauses of a group, with their checks. The list is long, so it is collapsed. */
export function clauseList(group: string, clauses: readonly Clause[], checks: readonly SuiteCheck[]): Markup {
  const own = clauses.filter(({ section }) => SECTIONS[group]?.includes(section));
  const rows = own.map((clause) => {
    const { id, level, subject, text, excluded } = clause;
    const sets = setsOf(clause).map(setText).join("; ");
    const verified = checks.filter((check) => check.clauses.includes(id)).map((check) => check.id);
    return html`<li id="${id}"><strong>${id}</strong> <span class="bounds">${level}, ${subject}</span> ${inline(text)}<br>${sets === "" ? undefined : html`<span class="bounds">For ${sets}</span><br>`}<span class="bounds">${excluded === undefined ? verified.join(", ") : `No check: ${excluded}`}</span></li>`;
  });
  return html`<details class="clauses"><summary>${group}: ${own.length} clauses, and their checks</summary><ul>${rows}</ul></details>`;
}

/** A row with a heading of the specification and its number of clauses. */
function headingRow(section: string, clauses: readonly Clause[]): Markup {
  const links = clauses.map(({ id }) => html`<a href="#${id}">${id}</a>`);
  const unverified = clauses.filter(({ excluded }) => excluded !== undefined).length;
  return html`<tr><th scope="row">${section}</th><td>${clauses.length}</td><td>${unverified}</td><td>${joined(links, " ")}</td></tr>`;
}

/**
 * A table of the specification's headings with their numbers of clauses, in which readers find sentences without a clause.
 */
export function headingTable(clauses: readonly Clause[]): Markup {
  const rows = [...Map.groupBy(clauses, ({ section }) => section)].map(([section, own]) =>
    headingRow(section, own),
  );
  return html`<section aria-labelledby="headings"><h2 id="headings">The specification by heading</h2><p>The clauses for each heading's sentences, in the order of the clause list. A sentence without a clause is an <a href="#open-points">open point</a>, or its clause is missing.</p><div class="wide" role="region" tabindex="0" aria-label="Clauses by heading of the specification"><table><thead><tr><th scope="col">Heading</th><th scope="col">Clauses</th><th scope="col">Without a check</th><th scope="col">Which</th></tr></thead><tbody>${rows}</tbody></table></div></section>`;
}
