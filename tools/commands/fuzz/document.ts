/** The operations of the two OpenAPI documents, and the responses that they allow. */
import type { ApiDocument, Operation } from "../../../suites/core/contract/api-document.ts";
import { controlApi } from "../../../suites/core/contract/control-document.ts";
import { serviceApi } from "../../../suites/core/contract/document.ts";
import { member } from "../../../suites/core/json.ts";

export interface FuzzOperation extends Operation {
  /** True for the control interface, which has its own token and no rate limits. */
  readonly isControl: boolean;
  readonly document: ApiDocument;
}

/** All operations of the service and of its control interface, which is served below `/control`. */
export function fuzzOperations(): FuzzOperation[] {
  return [
    ...serviceApi.operations.map((one) => ({ ...one, isControl: false, document: serviceApi })),
    ...controlApi.operations.map((one) => ({
      ...one,
      path: `/control${one.path === "/" ? "" : one.path}`,
      isControl: true,
      document: controlApi,
    })),
  ];
}

/**
 * Describes how a response violates the document: by its status, its body, or a code that the status doesn't
 * allow. Undefined for a valid response.
 */
export function responseFault(
  { id, pointer, document }: FuzzOperation,
  status: number,
  body: unknown,
): string | undefined {
  const documented = document.lookUp(`${pointer}/responses/${status}`);
  if (documented === undefined) return `the document has no response ${status}`;
  const schemaFault = document.responseError(id, status, body);
  if (schemaFault !== undefined) return `${status} doesn't fit its schema: ${schemaFault}`;
  const codes = documented["x-error-codes"];
  const error = member(body, "error", "code");
  if (!Array.isArray(codes) || codes.length === 0 || codes.includes(error)) return undefined;
  return `${status} has the code ${String(error)}, not one of ${codes.join(", ")}`;
}
