import { readFileSync } from "node:fs";
import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { components, operations } from "../../../openapi/generated/courier-dispatch.ts";
import { isObject, textOf } from "../json.ts";
import { SchemaMistakes } from "./schema-mistakes.ts";

/** Names of the service's operations, from the OpenAPI document. */
export type OperationId = Exclude<keyof operations, `on${string}`>;

export type Schemas = components["schemas"];

interface Operation {
  readonly id: OperationId;
  readonly method: string;
  /** Path template with `{name}` placeholders, relative to the base URL. */
  readonly path: string;
  readonly anonymous: boolean;
  readonly successes: readonly number[];
  /** JSON pointer of the operation within the document. */
  readonly pointer: string;
}

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
type JsonObject = { readonly [key: string]: Json };

/** The OpenAPI document as JSON, because parsing the YAML takes much longer. */
export const document: JsonObject = JSON.parse(
  readFileSync(new URL("../../../openapi/generated/courier-dispatch.json", import.meta.url), "utf8"),
);

export const ajv = new Ajv2020({
  strict: false,
  allErrors: true,
  validateFormats: true,
  validateSchema: false,
});
addFormats.default(ajv);
ajv.addSchema(document, "service");

const escapePointer = (segment: string) => segment.replaceAll("~", "~0").replaceAll("/", "~1");

const isArray = (value: Json): value is readonly Json[] => Array.isArray(value);

const lookedUp = new Map<string, JsonObject | undefined>();

/** The document's object at a JSON pointer. Follows `$ref`s on the way. */
export function lookUp(pointer: string): JsonObject | undefined {
  if (!lookedUp.has(pointer)) lookedUp.set(pointer, objectAt(pointer));
  return lookedUp.get(pointer);
}

function objectAt(pointer: string): JsonObject | undefined {
  let here: Json | undefined = document;
  for (const segment of pointer.split("/").slice(1)) {
    if (here === undefined || here === null || typeof here !== "object") return undefined;
    here = isArray(here) ? here[Number(segment)] : here[segment.replaceAll("~1", "/").replaceAll("~0", "~")];
    while (isObject(here) && typeof here.$ref === "string") here = lookUp(here.$ref.slice(1));
  }
  return isObject(here) ? here : undefined;
}

/** The pointer with all `$ref`s on the way resolved. */
function resolvePointer(pointer: string): string {
  const parts = pointer.split("/").slice(1);
  let here: Json | undefined = document;
  let at = "";
  for (const segment of parts) {
    if (!isObject(here)) return pointer;
    here = here[segment.replaceAll("~1", "/").replaceAll("~0", "~")];
    at += `/${segment}`;
    while (isObject(here) && typeof here.$ref === "string") {
      at = here.$ref.slice(1);
      here = lookUp(at);
    }
  }
  return at;
}

function readOperations(): ReadonlyMap<string, Operation> {
  const found = new Map<string, Operation>();
  const paths = isObject(document.paths) ? document.paths : {};
  for (const [path, item] of Object.entries(paths)) {
    if (!isObject(item)) continue;
    for (const [method, operation] of Object.entries(item)) {
      if (!isObject(operation) || typeof operation.operationId !== "string") continue;
      const responses = isObject(operation.responses) ? operation.responses : {};
      found.set(operation.operationId, {
        // A test compares the generated types with the document.
        id: operation.operationId as OperationId,
        method: method.toUpperCase(),
        path,
        anonymous: Array.isArray(operation.security) && operation.security.length === 0,
        successes: Object.keys(responses)
          .map(Number)
          .filter((status) => status >= 200 && status < 300),
        pointer: `/paths/${escapePointer(path)}/${method}`,
      });
    }
  }
  return found;
}

const byId = readOperations();
export const allOperations: readonly Operation[] = [...byId.values()];

export type PrivateOperationId = Exclude<OperationId, "obtainToken" | "getHealth" | "getTracking">;

const isPrivate = (one: Operation): one is Operation & { readonly id: PrivateOperationId } => !one.anonymous;

export const privateOperations = allOperations.filter(isPrivate);

export function operationById(id: OperationId): Operation {
  const found = byId.get(id);
  if (!found) throw new Error(`the document has no operation ${id}`);
  return found;
}

const validators = new Map<string, ValidateFunction | undefined>();

/** The validator of the schema at a JSON pointer. Pointers to one schema share its validator. */
function validatorAt(pointer: string): ValidateFunction | undefined {
  if (!validators.has(pointer)) {
    const place = resolvePointer(pointer);
    validators.set(pointer, place === pointer ? compiledAt(place) : validatorAt(place));
  }
  return validators.get(pointer);
}

function compiledAt(place: string): ValidateFunction | undefined {
  // A JSON pointer in a URI fragment is percent-encoded.
  const reference = `service#${place.split("/").map(encodeURIComponent).join("/")}`;
  return lookUp(place) ? ajv.compile({ $ref: reference }) : undefined;
}

const instantPattern = textOf(lookUp("/components/schemas/Instant")?.pattern);
const mistakes = new SchemaMistakes(instantPattern);

const describe = (validate: ValidateFunction): string => mistakes.describe(validate.errors ?? []);

const responseValidator = (id: OperationId, status: number): ValidateFunction | undefined =>
  validatorAt(`${operationById(id).pointer}/responses/${status}/content/application~1json/schema`);

/**
 * Describes how a response's JSON body violates the document. Undefined if it doesn't, or if the document has
 * no schema for it.
 */
export function responseSchemaError(id: OperationId, status: number, body: unknown): string | undefined {
  const validate = responseValidator(id, status);
  return !validate || validate(body) ? undefined : describe(validate);
}

/** The response's only schema error, worded so that equal errors share it. Undefined for none or several. */
export function responseSchemaFault(id: OperationId, status: number, body: unknown): string | undefined {
  const validate = responseValidator(id, status);
  if (!validate || validate(body)) return undefined;
  const kind = mistakes.kind(validate.errors ?? []);
  return kind === undefined ? undefined : `responses don't match the document: ${kind}`;
}

const requestValidator = (id: OperationId): ValidateFunction | undefined =>
  validatorAt(`${operationById(id).pointer}/requestBody/content/application~1json/schema`);

/** Describes how a request's JSON body violates the document. */
export function requestSchemaError(id: OperationId, body: unknown): string | undefined {
  const validate = requestValidator(id);
  return !validate || validate(body) ? undefined : describe(validate);
}

/**
 * The errors of a request's JSON body, each with its JSON pointer. Empty if there is none, or if the document
 * has no schema for it.
 */
export function requestErrors(id: OperationId, body: unknown): readonly ErrorObject[] {
  const validate = requestValidator(id);
  return !validate || validate(body) ? [] : (validate.errors ?? []);
}

/**
 * Describes how a value violates the schema at a JSON pointer of the document.
 * @throws if the document has no such schema
 */
export function schemaErrorAt(pointer: string, value: unknown): string | undefined {
  const validate = validatorAt(pointer);
  if (!validate) throw new Error(`the document has no schema ${pointer}`);
  return validate(value) ? undefined : describe(validate);
}

/** Describes how a value violates one of the document's named schemas. */
export const namedSchemaError = (schema: string, value: unknown): string | undefined =>
  schemaErrorAt(`/components/schemas/${schema}`, value);
