/** The operations of the two OpenAPI documents, and the responses that they allow. */
import {
  controlDocument,
  type OpenApiDocument,
  serviceDocument,
} from "../../../reference-server/contract/documents.ts";
import type { JsonObject } from "../../../reference-server/contract/json.ts";
import { controlAnswerError } from "../../../suites/core/contract/control-document.ts";
import { allOperations, responseSchemaError } from "../../../suites/core/contract/document.ts";
import { isObject } from "../../../suites/core/json.ts";

export type ParameterLocation = "path" | "query" | "header";

export interface FuzzParameter {
  readonly name: string;
  readonly place: ParameterLocation;
  readonly required: boolean;
  readonly schema: JsonObject;
}

export interface FuzzOperation {
  readonly id: string;
  readonly method: string;
  /** The path after the base URL, with placeholders such as `{id}`. */
  readonly path: string;
  /** True for the control interface, which has its own token and no rate limits. */
  readonly isControl: boolean;
  readonly parameters: readonly FuzzParameter[];
  /** The body: a JSON schema, or the media types of a binary body. */
  readonly body: { readonly types: readonly string[]; readonly schema: JsonObject } | undefined;
  /** The schema of the successful response; undefined if the response isn't JSON. */
  readonly answer: JsonObject | undefined;
  /** Returns the target of a `$ref` in the operation's document. */
  readonly resolve: (value: unknown) => JsonObject;
  /** Returns how a response violates the document; undefined for a valid response. */
  readonly fault: (status: number, body: unknown) => string | undefined;
}

const methods = ["get", "post", "put", "patch", "delete"];

/** All operations of the service and of its control interface. */
export function fuzzOperations(): FuzzOperation[] {
  return [...operationsOf(serviceDocument(), ""), ...operationsOf(controlDocument(), "/control")];
}

/** The operations of a document, served below the prefix. */
export function operationsOf(document: OpenApiDocument, prefix: string): FuzzOperation[] {
  const resolve = (value: unknown): JsonObject => {
    let here = value;
    while (isObject(here) && typeof here.$ref === "string") here = at(document, here.$ref);
    return isObject(here) ? here : {};
  };
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => methods.includes(method))
      .map(([method, operation]): FuzzOperation => {
        const { operationId, parameters, requestBody, responses } = resolve(operation);
        return {
          id: String(operationId),
          method: method.toUpperCase(),
          path: `${prefix}${path === "/" && prefix !== "" ? "" : path}`,
          isControl: prefix !== "",
          parameters: [item.parameters, parameters].flatMap((list) => parametersOf(list, resolve)),
          body: requestBody === undefined ? undefined : bodyOf(resolve(requestBody)),
          answer: answerOf(resolve(responses), resolve),
          resolve,
          fault: faultsOf(schemaErrorOf(String(operationId), prefix !== ""), resolve(responses), resolve),
        };
      }),
  );
}

function at(document: OpenApiDocument, reference: string): unknown {
  return reference
    .slice(2)
    .split("/")
    .reduce<unknown>((here, key) => (isObject(here) ? here[key.replaceAll("~1", "/")] : undefined), document);
}

function parametersOf(list: unknown, resolve: FuzzOperation["resolve"]): FuzzParameter[] {
  if (!Array.isArray(list)) return [];
  return list.map(resolve).map(({ name, in: place, required, schema }) => ({
    name: String(name),
    place: place === "path" || place === "header" ? place : "query",
    required: required === true,
    schema: resolve(schema),
  }));
}

function bodyOf({ content }: JsonObject): FuzzOperation["body"] {
  const media = isObject(content) ? content : {};
  const json = media["application/json"];
  const schema = isObject(json) && isObject(json.schema) ? json.schema : {};
  return { types: Object.keys(media), schema };
}

function answerOf(responses: JsonObject, resolve: FuzzOperation["resolve"]): JsonObject | undefined {
  const success = Object.keys(responses).findLast((status) => status.startsWith("2"));
  const { content } = resolve(success === undefined ? undefined : responses[success]);
  const json = isObject(content) ? resolve(content["application/json"]) : {};
  return json.schema === undefined ? undefined : resolve(json.schema);
}

type SchemaError = (status: number, body: unknown) => string | undefined;

function schemaErrorOf(id: string, isControl: boolean): SchemaError {
  if (isControl) return (status, body) => controlAnswerError(id, status, body);
  const service = allOperations.find((one) => one.id === id);
  if (service === undefined) throw new Error(`the document has no operation ${id}`);
  return (status, body) => responseSchemaError(service.id, status, body);
}

/**
 * Describes how a response violates the document: by its status, its body, or a code that the status doesn't
 * allow.
 */
function faultsOf(
  schemaError: SchemaError,
  responses: JsonObject,
  resolve: FuzzOperation["resolve"],
): FuzzOperation["fault"] {
  return (status, body) => {
    if (responses[status] === undefined) return `the document has no response ${status}`;
    const schemaFault = schemaError(status, body);
    if (schemaFault !== undefined) return `${status} doesn't fit its schema: ${schemaFault}`;
    const codes = resolve(responses[status])["x-error-codes"];
    const error = isObject(body) && isObject(body.error) ? body.error.code : undefined;
    if (!Array.isArray(codes) || codes.length === 0 || codes.includes(error)) return undefined;
    return `${status} has the code ${String(error)}, not one of ${codes.join(", ")}`;
  };
}
