import type { ErrorObject } from "ajv";
import type { components, operations } from "../../../openapi/generated/courier-dispatch.ts";
import { ApiDocument, type Operation } from "./api-document.ts";

/** Names of the service's operations, from the OpenAPI document. */
export type OperationId = Exclude<keyof operations, `on${string}`>;

export type Schemas = components["schemas"];

interface ServiceOperation extends Operation {
  readonly id: OperationId;
}

export const serviceApi = new ApiDocument("courier-dispatch", false);

// A test compares the generated types with the document.
const isServiceOperation = (one: Operation): one is ServiceOperation => one.id !== "";

export const allOperations: readonly ServiceOperation[] = serviceApi.operations.filter(isServiceOperation);

export type PrivateOperationId = Exclude<OperationId, "obtainToken" | "getHealth" | "getTracking">;

const isPrivate = (one: ServiceOperation): one is ServiceOperation & { readonly id: PrivateOperationId } =>
  !one.anonymous;

export const privateOperations = allOperations.filter(isPrivate);

export const operationById = (id: OperationId): Operation => serviceApi.operation(id);

const requestSchema = (id: OperationId): string =>
  `${operationById(id).pointer}/requestBody/content/application~1json/schema`;

/** True for a field that the body of a request may contain: `dropoff.lat`. */
export const isSentField = (field: string): boolean =>
  allOperations.some(
    ({ id }) =>
      serviceApi.lookUp(
        [requestSchema(id), ...field.split(".").map((name) => `properties/${name}`)].join("/"),
      ) !== undefined,
  );

/**
 * Describes how a response's JSON body violates the document. Undefined if it doesn't, or if the document has
 * no schema for it.
 */
export const responseSchemaError = (id: OperationId, status: number, body: unknown): string | undefined =>
  serviceApi.responseError(id, status, body);

/** The response's only schema error, worded so that equal errors share it. Undefined for none or several. */
export function responseSchemaFault(id: OperationId, status: number, body: unknown): string | undefined {
  const kind = serviceApi.kindOfErrorAt(serviceApi.responsePointer(id, status), body);
  return kind === undefined ? undefined : `responses don't match the document: ${kind}`;
}

/** Describes how a request's JSON body violates the document. */
export const requestSchemaError = (id: OperationId, body: unknown): string | undefined =>
  serviceApi.errorAt(requestSchema(id), body);

/**
 * The errors of a request's JSON body, each with its JSON pointer. Empty if there is none, or if the document
 * has no schema for it.
 */
export const requestErrors = (id: OperationId, body: unknown): readonly ErrorObject[] =>
  serviceApi.errorsAt(requestSchema(id), body);

/**
 * Describes how a value violates the schema at a JSON pointer of the document.
 * @throws if the document has no such schema
 */
export function schemaErrorAt(pointer: string, value: unknown): string | undefined {
  if (serviceApi.lookUp(pointer) === undefined) throw new Error(`the document has no schema ${pointer}`);
  return serviceApi.errorAt(pointer, value);
}

/** Describes how a value violates one of the document's named schemas. */
export const namedSchemaError = (schema: string, value: unknown): string | undefined =>
  schemaErrorAt(`/components/schemas/${schema}`, value);

/** True if a value fits one of the document's named schemas. A test compares the generated types with the document. */
export const fitsSchema = <Name extends keyof Schemas>(name: Name, value: unknown): value is Schemas[Name] =>
  namedSchemaError(name, value) === undefined;
