import { type OperationId, requestSchemaError } from "../../core/contract/document.ts";
import { member, textMember, textOf } from "../../core/json.ts";
import { described } from "../../core/text/shown-value.ts";
import { withoutTimes } from "../checks/times.ts";
import type { Evidence } from "../session/evidence.ts";
import { TIME_MEMBERS } from "../session/readable-times.ts";
import type { RecordedRequest } from "../session/request.ts";
import { withoutOpenNulls } from "../session/sandbox/open-nulls.ts";
import { refusalInWords } from "../session/unplanned-refusals.ts";

/** The schema errors of a body. Null is ignored, because it may mean an omitted field (OPEN-124). */
const bodyFault = (id: OperationId, body: unknown): string | undefined =>
  requestSchemaError(id, withoutOpenNulls(id, body));

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/** Why a body isn't JSON in UTF-8; undefined if it is. */
function encodingFault({ headers, body, json }: RecordedRequest): string | undefined {
  const coding = headers["content-encoding"]?.trim().toLowerCase() ?? "identity";
  if (coding !== "identity")
    return `it is compressed (Content-Encoding: ${coding}), which the service refuses with 415`;
  if (body.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK)) {
    return "it begins with a byte order mark, which JSON must not have (RFC 8259, 8.1)";
  }
  return body.length > 0 && json === undefined ? "it isn't JSON" : undefined;
}

/**
 * The fields that the service itself refuses, such as an unknown payment code. Times are excluded, because
 * their allowed forms are unspecified (OPEN-7).
 */
function fieldFault(one: RecordedRequest): string | undefined {
  if (one.fault !== undefined) return undefined;
  const refusal = one.completion?.response?.json;
  const [code, field] = [
    textMember(refusal, "error", "code"),
    textMember(refusal, "error", "details", "field"),
  ];
  if (TIME_MEMBERS.some((member) => member === field)) return undefined;
  return code === "DOGRULAMA" ? `the service answered ${refusalInWords(one)}` : undefined;
}

const DECIMALS = /^-?\d+(?:\.\d{1,3})?$/;

/**
 * The invalid quantities of an order. The schema misses them, because JSON Schema can't limit decimal places.
 */
function quantityFault({ json }: RecordedRequest): string | undefined {
  const items = member(json, "items");
  const quantities = Array.isArray(items) ? items.map((item) => member(item, "quantity")) : [];
  const wrong = quantities.find((one) => typeof one === "number" && !DECIMALS.test(String(one)));
  return wrong === undefined ? undefined : `a quantity of ${textOf(wrong)} has more than 3 decimal places`;
}

/** Fails a request whose body violates the schema or the service's rules, except rules about times. */
export function expectValidBody(evidence: Evidence, operation: OperationId, one: RecordedRequest): void {
  const fault =
    quantityFault(one) ??
    encodingFault(one) ??
    bodyFault(operation, withoutTimes(one.json)) ??
    fieldFault(one);
  evidence
    .expectThat(`the body of ${operation}`, described(fault ?? "valid"), [one])
    .satisfies("valid", fault === undefined);
}
