import { type ApiDocument, refName, resolved, type Schema } from "../../../sandbox/documents/api-document.ts";
import type { ClauseList } from "../../../suites/core/contract/clause-list.ts";
import { type Content, html, type Markup } from "../../report/template.ts";
import { code, inline, joined, openPointLinks } from "./text.ts";

type Schemas = ApiDocument["components"]["schemas"];

/** A schema merged with its allOf parts. */
function whole(schemas: Schemas, schema: Schema): Schema {
  const own = resolved(schemas, schema);
  if (!own.allOf) return own;
  const parts = own.allOf.map((part) => whole(schemas, part));
  return {
    ...own,
    properties: Object.assign({}, ...parts.map(({ properties }) => properties), own.properties),
    required: [...parts.flatMap(({ required = [] }) => required), ...(own.required ?? [])],
  };
}

const isNullable = ({ type }: Schema): boolean => [type].flat().includes("null");

/** A link to a schema with fields on this page, or a description of its values. */
function typeOf(schemas: Schemas, schema: Schema): Content {
  const name = refName(schema);
  const known = whole(schemas, schema);
  if (name !== undefined && known.properties) return html`<a href="#schema-${name}">${name}</a>`;
  if (known.const !== undefined) return code(JSON.stringify(known.const));
  if (known.enum)
    return joined(
      known.enum.map((value) => code(JSON.stringify(value))),
      ", ",
    );
  if (known.anyOf)
    return joined(
      known.anyOf.map((choice) => typeOf(schemas, choice)),
      " or ",
    );
  if (known.items)
    return html`array of ${typeOf(schemas, known.items)}${isNullable(known) ? " or null" : ""}`;
  const type = [known.type ?? (known.properties ? "object" : "any value")].flat().join(" or ");
  return known.format === undefined ? type : `${type} (${known.format})`;
}

const range = (least: number | undefined, most: number | undefined, what: string): string | undefined => {
  if (least === undefined && most === undefined) return undefined;
  if (most === undefined) return `at least ${least}${what}`;
  return least === undefined ? `at most ${most}${what}` : `${least} to ${most}${what}`;
};

function boundsOf(schema: Schema): string {
  const { "x-max-decimals": decimals, "x-max-ahead": ahead } = schema;
  return [
    range(schema.minLength, schema.maxLength, " characters"),
    range(schema.minimum, schema.maximum, ""),
    range(undefined, schema.maxItems, " items"),
    decimals === undefined ? undefined : `at most ${decimals} decimal places`,
    ahead === undefined ? undefined : `at most ${ahead} ahead`,
    schema.default === undefined ? undefined : `default ${JSON.stringify(schema.default)}`,
  ]
    .filter((bound) => bound !== undefined)
    .join(", ");
}

interface Field {
  readonly name: string;
  readonly required: boolean;
  readonly schema: Schema;
}

/** A table row for a field: name, type with bounds, description. */
export function fieldRow({ schemas, catalogue }: SchemaContext, { name, required, schema }: Field): Markup {
  const known = whole(schemas, schema);
  const bounds = boundsOf(known);
  return html`<tr><th scope="row">${code(name)}${required ? html`<br><span class="required">required</span>` : undefined}</th><td>${typeOf(schemas, schema)}${bounds === "" ? undefined : html`<br><span class="bounds">${bounds}</span>`}</td><td>${inline(known.description)} ${openPointLinks(catalogue, known["x-open-point"])}</td></tr>`;
}

export interface SchemaContext {
  readonly schemas: Schemas;
  readonly catalogue: ClauseList;
}

/** The fields of an object; with `deep`, also nested ones, as `customer.name` or `items[].name`. */
function fieldsOf(schemas: Schemas, schema: Schema, deep: boolean, prefix = ""): readonly Field[] {
  const { properties = {}, required = [] } = whole(schemas, schema);
  return Object.entries(properties).flatMap(([key, value]) => {
    const name = `${prefix}${key}`;
    const field: Field = { name, required: required.includes(key), schema: value };
    const known = whole(schemas, value);
    const inner = known.items ? whole(schemas, known.items) : known;
    const isInline = refName(known.items ?? value) === undefined;
    const below = inner.properties && (deep || isInline);
    return below ? [field, ...fieldsOf(schemas, inner, deep, `${name}${known.items ? "[]" : ""}.`)] : [field];
  });
}

/** A table of the schema's fields. Without fields, a description. */
export function schemaTable(context: SchemaContext, schema: Schema, label: string, deep: boolean): Markup {
  const fields = fieldsOf(context.schemas, schema, deep);
  if (fields.length === 0) {
    const { $ref: _, ...known } = whole(context.schemas, schema);
    return html`<p>${typeOf(context.schemas, known)}</p>`;
  }
  return html`<div class="wide" role="region" tabindex="0" aria-label="${label}"><table><thead><tr><th scope="col">Field</th><th scope="col">Type</th><th scope="col">What it is</th></tr></thead><tbody>${fields.map((field) => fieldRow(context, field))}</tbody></table></div>`;
}
