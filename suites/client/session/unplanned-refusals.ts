import { textMember } from "../../core/json.ts";
import type { RecordedRequest } from "./request.ts";

/** Requests that the service refused for the same reason, without an injected fault. */
interface UnplannedRefusal {
  /** The kind of request, the reason and the number of requests, in words. */
  readonly line: string;
  /** The refused requests in order of arrival. */
  readonly requests: readonly RecordedRequest[];
}

const isRefused = ({ fault, completion, operation }: RecordedRequest): boolean => {
  const status = completion?.response?.status ?? 0;
  return operation !== undefined && fault === undefined && status >= 400 && status < 500;
};

/** The error code and field of a response. */
export function refusalInWords({ completion }: RecordedRequest): string {
  const { status, json } = completion?.response ?? {};
  const [code, field, reason] = [
    textMember(json, "error", "code"),
    textMember(json, "error", "details", "field"),
    textMember(json, "error", "details", "reason"),
  ];
  const named = field === undefined ? "" : `, field ${field}${reason === undefined ? "" : ` (${reason})`}`;
  return `${[status, code].filter((one) => one !== undefined).join(" ")}${named}`;
}

/**
 * True if an injected fault prevented the registration of the start's store. The service then refuses the
 * start's orders.
 */
const followsScenario = (one: RecordedRequest, requests: readonly RecordedRequest[]): boolean =>
  textMember(one.completion?.response?.json, "error", "code") === "MAGAZA_YOK" &&
  requests.some(
    ({ operation, startNumber, fault }) =>
      operation === "registerStore" && startNumber === one.startNumber && fault !== undefined,
  );

/** Refusals without an injected fault, most frequent first. */
export function unplannedRefusals(requests: readonly RecordedRequest[]): readonly UnplannedRefusal[] {
  const refused = requests.filter((one) => isRefused(one) && !followsScenario(one, requests));
  const alike = Map.groupBy(refused, (one) => `${one.operation} with ${refusalInWords(one)}`);
  return [...alike]
    .map(([what, of]) => ({
      line: `the service refused ${what}, ${of.length === 1 ? "once" : `${of.length} times`}, without an injected fault`,
      requests: of,
    }))
    .toSorted((a, b) => b.requests.length - a.requests.length);
}
