import { operationById, responseSchemaError, responseSchemaFault } from "../../core/contract/document.ts";
import type { Exchange } from "../../core/exchange.ts";
import { isFinding } from "../../core/grading/failures/explain-failure.ts";
import { CheckFailure, CheckSkipped } from "../../core/grading/failures/failure.ts";
import { jsonBytesFault } from "../../core/json-bytes.ts";
import { isSuccess } from "../../core/responses.ts";
import { described } from "../../core/text/shown-value.ts";

/** A schema error in the response at which a check failed. The target is at fault, not the suite. */
export function schemaFailure(error: unknown, exchanges: readonly Exchange[]): CheckFailure | undefined {
  if (isFinding(error) || error instanceof CheckSkipped) return undefined;
  const exchange = exchanges.findLast((one) => schemaErrorOf(one) !== undefined);
  if (!exchange) return undefined;
  return new CheckFailure(
    {
      subject: `the response to ${exchange.operation}`,
      relation: "to match",
      expected: described("the document"),
      actual: described(schemaErrorOf(exchange) ?? "another form"),
      note: "the check can't go on",
    },
    { exchange, fault: schemaFaultOf(exchange) },
  );
}

/** The response's only schema error, with the same wording for all of its consequences. */
export function schemaFaultOf({ operation, response }: Exchange): string | undefined {
  return (
    response && responseSchemaFault(operation, documentedStatusOf(operation, response.status), response.json)
  );
}

/**
 * The fault that keeps clients from parsing the response, with the same wording for all of its consequences.
 */
export function bytesFaultOf({ response }: Exchange): string | undefined {
  const fault = response && response.text !== "" ? jsonBytesFault(response.bytes) : undefined;
  return fault && `a response ${fault.kind}`;
}

export const tokenFaultOf = ({ refusesValidToken }: Exchange): string | undefined =>
  refusesValidToken && "tokens are refused within their lifetime";

/**
 * The fault of a response that explains a finding: the refusal of a valid token, an invalid schema, or
 * invalid JSON.
 */
export function faultBehind(finding: Error, exchanges: readonly Exchange[]): string | undefined {
  if (finding instanceof CheckFailure && finding.exchange?.refusesValidToken)
    return tokenFaultOf(finding.exchange);
  if (!(finding instanceof CheckFailure) || finding.mismatch.relation === "not to happen") return undefined;
  if (finding.exchange && finding.mismatch.relation === "to refuse with")
    return bytesFaultOf(finding.exchange);
  if ((finding.mismatch.actual ?? null) !== null) return undefined;
  const exchange = exchanges.findLast((one) => schemaErrorOf(one) !== undefined);
  return exchange && schemaFaultOf(exchange);
}

function schemaErrorOf({ operation, response }: Exchange): string | undefined {
  return response && isSuccess(response)
    ? responseSchemaError(operation, documentedStatusOf(operation, response.status), response.json)
    : undefined;
}

/** The status whose content a check reads: for a success that the document doesn't have, the first that it has. */
function documentedStatusOf(operation: Exchange["operation"], status: number): number {
  const { successes } = operationById(operation);
  const [first = status] = successes;
  return successes.includes(status) || !isSuccess({ status }) ? status : first;
}
