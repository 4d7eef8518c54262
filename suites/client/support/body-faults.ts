import type { OperationId } from "../../core/contract/document.ts";
import { textMember } from "../../core/json.ts";
import { withoutTimes } from "../checks/times.ts";
import { bodyFault } from "../session/open-nulls.ts";
import { TIME_MEMBERS } from "../session/readable-times.ts";
import type { RecordedRequest } from "../session/request.ts";
import { refusalInWords } from "../session/unplanned-refusals.ts";

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/** Describes the fault of a body that can't be parsed. */
function encodingFault({ headers, body, json }: RecordedRequest): string | undefined {
  const coding = headers["content-encoding"]?.trim().toLowerCase() ?? "identity";
  if (coding !== "identity")
    return `it is compressed (Content-Encoding: ${coding}), which the service refuses with 415`;
  if (body.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK)) {
    return "it begins with a byte order mark, which JSON must not have (RFC 8259, 8.1)";
  }
  return body.length > 0 && json === undefined ? "it isn't JSON" : undefined;
}

/** Describes the service's own field errors, such as an unlisted payment code. Forms of time are open (OPEN-7). */
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

/** Describes the errors of a request's body by the schema or the service. Times have a check of their own. */
export const requestFault = (operation: OperationId, one: RecordedRequest): string | undefined =>
  encodingFault(one) ?? bodyFault(operation, withoutTimes(one.json)) ?? fieldFault(one);
