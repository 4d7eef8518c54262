import {
  type ApiDocument,
  type Body,
  type DocumentedOperation,
  type Media,
  type Response,
  refName,
  resolved,
} from "../../../sandbox/documents/api-document.ts";
import { type Content, html, type Markup } from "../../report/template.ts";
import { fieldRow, type SchemaContext, schemaTable } from "./schema.ts";
import { block, code, inline, joined, openPointLinks } from "./text.ts";

export interface PageContext extends SchemaContext {
  readonly document: ApiDocument;
}

const isEvent = ({ path }: DocumentedOperation): boolean => !path.startsWith("/");
/** An operation's name on the page: `POST /v1/stores`, or an event's type. */
export const nameOf = (place: DocumentedOperation): string =>
  isEvent(place) ? place.path : `${place.method} ${place.path}`;

function examplesOf({ document }: PageContext, { example, examples = {} }: Media): Content {
  const named = Object.entries(examples).map(([key, given]) => {
    const { summary, value } = resolved(document.components.examples, given);
    return { name: summary ?? key, value };
  });
  const all = example === undefined ? named : [{ name: "Example", value: example }, ...named];
  return all.map(
    ({ name, value }) =>
      html`<details><summary>${name}</summary><pre tabindex="0">${JSON.stringify(value, null, 2)}</pre></details>`,
  );
}

function requestOf(context: PageContext, { operation, parameters, ...place }: DocumentedOperation): Content {
  const body: Body | undefined =
    operation.requestBody && resolved(context.document.components.requestBodies, operation.requestBody);
  const shown = parameters.map((parameter) =>
    fieldRow(context, {
      name: parameter.name ?? "",
      required: parameter.required ?? false,
      schema: {
        ...parameter.schema,
        description: parameter.description,
        "x-open-point": parameter["x-open-point"],
      },
    }),
  );
  const label = nameOf({ operation, parameters, ...place });
  const kinds = [...new Set(parameters.map((parameter) => parameter.in))].join(", ");
  return [
    shown.length === 0
      ? undefined
      : html`<h4>Parameters (${kinds})</h4><div class="wide" role="region" tabindex="0" aria-label="Parameters of ${label}"><table><thead><tr><th scope="col">Name</th><th scope="col">Type</th><th scope="col">What it is</th></tr></thead><tbody>${shown}</tbody></table></div>`,
    Object.values(body?.content ?? {}).map((media) => [
      html`<h4>Body</h4>`,
      media.schema && schemaTable(context, media.schema, `Body of ${label}`, !label.startsWith("delivery.")),
      examplesOf(context, media),
    ]),
  ];
}

function answerRow(context: PageContext, status: string, given: Response): Markup {
  const answer = resolved(context.document.components.responses, given);
  const shapes = Object.values(answer.content ?? {}).flatMap(({ schema }) => {
    const name = schema && refName(schema);
    return name === undefined ? [] : [html`<a href="#schema-${name}">${name}</a>`];
  });
  const codes = (answer["x-error-codes"] ?? []).map(
    (name) => html`<a href="#code-${name}">${code(name)}</a>`,
  );
  return html`<tr><th scope="row">${status}</th><td>${joined(codes.length > 0 ? codes : shapes, " ")}</td><td>${inline(answer.description)} ${openPointLinks(context.catalogue, answer["x-open-point"])}</td></tr>`;
}

/** The section of an operation: purpose, parameters, body and responses. */
export function operationSection(context: PageContext, place: DocumentedOperation): Markup {
  const { operation } = place;
  const name = nameOf(place);
  const answers = Object.entries(operation.responses).map(([status, answer]) =>
    answerRow(context, status, answer),
  );
  const examples = Object.values(operation.responses).flatMap((answer) =>
    Object.values(resolved(context.document.components.responses, answer).content ?? {}),
  );
  const isPublic = !isEvent(place) && operation.security?.length === 0;
  return html`<article id="${operation.operationId}" aria-labelledby="${operation.operationId}-title">
<h3 id="${operation.operationId}-title"><code>${name}</code> ${operation.summary}</h3>
${block(operation.description)}
${isPublic ? html`<p class="note">Needs no credentials.</p>` : undefined}
${openPointLinks(context.catalogue, operation["x-open-point"])}
${requestOf(context, place)}
<h4>Answers${isEvent(place) ? " of the receiver" : ""}</h4>
<div class="wide" role="region" tabindex="0" aria-label="Answers of ${name}"><table><thead><tr><th scope="col">Status</th><th scope="col">Code or body</th><th scope="col">What it is</th></tr></thead><tbody>${answers}</tbody></table></div>
${examples.some(({ example, examples: named }) => example !== undefined || named) ? html`<details><summary>Examples of answers</summary>${examples.map((media) => examplesOf(context, media))}</details>` : undefined}
</article>`;
}
