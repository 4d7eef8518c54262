import { readFileSync } from "node:fs";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { operations } from "../../../openapi/generated/control.ts";
import { isObject, member, textOf } from "../json.ts";
import { SchemaMistakes } from "./schema-mistakes.ts";

export type ControlOperation = keyof operations;

const document: object = JSON.parse(
  readFileSync(new URL("../../../openapi/generated/control.json", import.meta.url), "utf8"),
);
const ajv = new Ajv2020({ strict: false, strictNumbers: true, allErrors: true, validateSchema: false });
addFormats.default(ajv);
ajv.addSchema(document, "control");

const mistakes = new SchemaMistakes(textOf(member(document, "components", "schemas", "Instant", "pattern")));
const validators = new Map<string, ValidateFunction | undefined>();

const encoded = (segments: readonly string[]): string =>
  segments
    .map((segment) => encodeURIComponent(segment.replaceAll("~", "~0").replaceAll("/", "~1")))
    .join("/");

function compile(operation: string, status: number): ValidateFunction | undefined {
  for (const [path, item] of Object.entries(Object(member(document, "paths")))) {
    if (!isObject(item)) continue;
    const method = Object.keys(item).find((name) => member(item, name, "operationId") === operation);
    if (method === undefined) continue;
    const response = [method, "responses", String(status), "content", "application/json", "schema"];
    if (member(item, ...response) === undefined) return undefined;
    return ajv.compile({ $ref: `control#/${encoded(["paths", path, ...response])}` });
  }
  return undefined;
}

/**
 * Describes how a response body violates the control interface's document. Undefined if it doesn't, or if the
 * document has no schema for it.
 */
export function controlAnswerError(operation: string, status: number, body: unknown): string | undefined {
  const key = `${operation} ${status}`;
  if (!validators.has(key)) validators.set(key, compile(operation, status));
  const validate = validators.get(key);
  return validate === undefined || validate(body) ? undefined : mistakes.describe(validate.errors ?? []);
}
