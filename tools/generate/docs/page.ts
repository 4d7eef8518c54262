import {
  type ApiDocument,
  type DocumentedOperation,
  operationsOf,
  resolved,
} from "../../../sandbox/documents/api-document.ts";
import type { ClauseList } from "../../../suites/core/contract/clause-list.ts";
import type { SuiteCheck } from "../../../suites/core/grading/suite.ts";
import { DOCUMENT_STYLES, inlined } from "../../report/inlined.ts";
import { renderSingleFile } from "../../report/single-file-page.ts";
import { type Content, html, type Markup } from "../../report/template.ts";
import { clauseList, headingTable } from "./clauses.ts";
import { nameOf, operationSection, type PageContext } from "./operation.ts";
import { schemaTable } from "./schema.ts";
import { block, code, inline, joined, openPointLinks } from "./text.ts";

export interface PageSource {
  readonly document: ApiDocument;
  readonly catalogue: ClauseList;
  readonly checks: readonly SuiteCheck[];
}

/** The id of a group of operations in the page. */
const anchor = (name: string): string => `group-${name.toLowerCase().replaceAll(" ", "-")}`;

const ofTag = (places: readonly DocumentedOperation[], tag: string): readonly DocumentedOperation[] =>
  places.filter(({ operation }) => operation.tags.includes(tag));

function contents({ tags }: ApiDocument, places: readonly DocumentedOperation[]): Markup {
  const group = ({ name }: { readonly name: string }) =>
    html`<li><a href="#${anchor(name)}">${name}</a><ul>${ofTag(places, name).map((place) => html`<li><a href="#${place.operation.operationId}">${nameOf(place)}</a></li>`)}</ul></li>`;
  return html`<nav aria-label="Contents"><ul><li><a href="#general">General</a></li>${tags.map(group)}<li><a href="#codes">Error codes</a></li><li><a href="#schemas">Bodies</a></li><li><a href="#headings">The specification by heading</a></li><li><a href="#open-points">Open points</a></li></ul></nav>`;
}

/** The error codes, with the operations that may return them. */
function errorCodes({ document }: PageContext, places: readonly DocumentedOperation[]): Markup {
  const uses = places.flatMap(({ operation }) =>
    Object.entries(operation.responses).flatMap(([status, answer]) =>
      (resolved(document.components.responses, answer)["x-error-codes"] ?? []).map((name) => ({
        name,
        status,
        id: operation.operationId,
      })),
    ),
  );
  const rows = [...Map.groupBy(uses, ({ name }) => name)].map(([name, all]) => {
    const statuses = [...new Set(all.map(({ status }) => status))].join(", ");
    const links = [...new Set(all.map(({ id }) => id))].map((id) => html`<a href="#${id}">${id}</a>`);
    return html`<tr id="code-${name}"><th scope="row">${code(name)}</th><td>${statuses}</td><td>${joined(links, ", ")}</td></tr>`;
  });
  return html`<section aria-labelledby="codes"><h2 id="codes">Error codes</h2><div class="wide" role="region" tabindex="0" aria-label="Error codes by operation"><table><thead><tr><th scope="col">Code</th><th scope="col">Status</th><th scope="col">Operations</th></tr></thead><tbody>${rows}</tbody></table></div></section>`;
}

function bodies(context: PageContext): Markup {
  const shown = Object.entries(context.schemas).map(
    ([name, schema]) =>
      html`<article id="schema-${name}" aria-labelledby="schema-${name}-title"><h3 id="schema-${name}-title">${name}</h3>${block(schema.description)}${openPointLinks(context.catalogue, schema["x-open-point"])}${schemaTable(context, schema, `Fields of ${name}`, false)}</article>`,
  );
  return html`<section aria-labelledby="schemas"><h2 id="schemas">Bodies</h2>${shown}</section>`;
}

function openPoints({ catalogue }: PageContext): Markup {
  const shown = catalogue.open_points.map(
    ({ id, where, text, choices, coping }) =>
      html`<li id="${id}"><strong>${id}</strong> <span class="bounds">${where}</span> ${inline(text)}<ul>${choices.map((choice) => html`<li>${inline(choice)}</li>`)}</ul><p>${inline(coping)}</p></li>`,
  );
  return html`<section aria-labelledby="open-points"><h2 id="open-points">Open points</h2><p>What the specification leaves open, what a service may therefore do, and how the suite handles it. No check depends on these choices.</p><ul class="points">${shown}</ul></section>`;
}

/** The banner that a site shows above the page. */
interface Banner {
  readonly markup: Markup;
  readonly style: URL;
}

/** The reference page: a single file without scripts or external resources. */
export function renderReference({ document, catalogue, checks }: PageSource, banner?: Banner): string {
  const places = operationsOf(document);
  const context: PageContext = { document, catalogue, schemas: document.components.schemas };
  const style = inlined(
    ...DOCUMENT_STYLES,
    new URL("page.css", import.meta.url),
    ...(banner ? [banner.style] : []),
  );
  const group = ({ name, description, ...tag }: ApiDocument["tags"][number]): Content =>
    html`<section aria-labelledby="${anchor(name)}"><h2 id="${anchor(name)}">${name}</h2>${block(description)}${openPointLinks(catalogue, tag["x-open-point"])}
${clauseList(name, catalogue.clauses, checks)}
${ofTag(places, name).map((place) => operationSection(context, place))}</section>`;
  const body = html`<header>${banner?.markup}<h1>${document.info.title}</h1><p>Reference, version ${document.info.version}</p></header>
<div class="columns">
${contents(document, places)}
<main>
<section aria-labelledby="general"><h2 id="general">General</h2>${block(document.info.description)}${clauseList("General", catalogue.clauses, checks)}</section>
${document.tags.map(group)}
${errorCodes(context, places)}
${bodies(context)}
${headingTable(catalogue.clauses)}
${openPoints(context)}
</main>
</div>`;
  return renderSingleFile({
    title: `${document.info.title} ${document.info.version}: reference`,
    style,
    ...(banner && { formAction: "'self' file:" }),
    skip: { to: "general", words: "Skip to the reference" },
    body,
  });
}
