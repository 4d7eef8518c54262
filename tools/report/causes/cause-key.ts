import { operationName } from "../../../suites/core/contract/operation-names.ts";
import type { Outcome } from "../../../suites/core/grading/outcome.ts";
import { IDENTIFIERS, INSTANTS } from "../../../suites/core/text/run-values.ts";

/** The parts of a failure that determine its cause. */
export interface Failure
  extends Pick<
    Outcome,
    "subject" | "relation" | "expected" | "actual" | "operation" | "fault" | "message" | "cases"
  > {
  readonly clauses?: readonly string[];
}

const TIME = "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d(?::\\d\\d(?:\\.\\d+)?)?";

/** Formats of malformed values. The format identifies the fault in any field. */
const MALFORMED: readonly (readonly [form: string, pattern: RegExp])[] = [
  ["a time without a zone", new RegExp(`${TIME}(?![\\d:.Z+-])`)],
  ["a time with an offset", new RegExp(`${TIME}[+-]\\d\\d:\\d\\d`)],
];
/** Ten digits, or eleven with a leading zero. */
const NATIONAL_PHONE = /^'?0?[1-9]\d{9}'?$/;

/** The format of a malformed value in a failure. Undefined if there is none. */
function malformedForm({ subject = "", relation, actual }: Failure): string | undefined {
  const shown = actual ?? (relation === "not to happen" ? subject : "");
  if (subject.includes("phone") && NATIONAL_PHONE.test(shown)) return "a phone number in national form";
  return MALFORMED.find(([, pattern]) => pattern.test(shown))?.[0];
}

const FIELD = /^[a-z]+(?:_[a-z]+)*$/;

/** The name of the compared field: `phone` for `customer.phone of A`; undefined for other subjects. */
function fieldOf(subject: string): string | undefined {
  const [path = ""] = subject.split(/ of |, /);
  const name = path.split(".").at(-1) ?? "";
  return FIELD.test(name) ? name : undefined;
}

/** A subject without its operation, values and positions. */
function subjectKey({ message = "", subject = message, operation }: Failure): string {
  const masked = subject
    .replaceAll(INSTANTS, "…")
    .replaceAll(IDENTIFIERS, "…")
    .replaceAll(/\battempt \d+/g, "attempt …");
  return operation === undefined ? masked : masked.replaceAll(operationName(operation), "…");
}

const NUMBER = /^-?\d+(?:\.\d+)?$/;

/** The type of a value that varies between checks. Other values, such as states, identify the fault. */
function typeOf(value: string | undefined): string | undefined {
  if (value === undefined || !/\d/.test(value)) return value;
  return NUMBER.test(value) ? "number" : "value";
}

const isSuccess = (statuses: string): boolean => /^2(?:\d\d|xx)(?: or 2\d\d)*$/.test(statuses);

/**
 * A status or an error code identifies the fault. If several valid requests get the same one, they have one
 * cause.
 */
function ofStatus({ relation, expected = "", actual = "" }: Failure): readonly string[] {
  const isRefused = relation === "to answer" && isSuccess(expected) && !actual.startsWith("2");
  return isRefused ? ["refused", actual] : ["status", relation ?? "", expected, actual];
}

/**
 * Failures with the same key have one cause. The key consists of the named fault, the status, the format of a
 * malformed value, or the field, relation and value types. A number without a field, such as a count, is only
 * compared within the same clauses.
 */
export function causeKey(check: Failure): string {
  const { fault, relation, expected, actual, clauses = [] } = check;
  if (fault !== undefined) return fault;
  if (relation === "to answer" || relation === "to refuse with") return JSON.stringify(ofStatus(check));
  // A missing or late webhook.
  if (relation === "to arrive") return JSON.stringify([relation, subjectKey(check)]);
  const form = malformedForm(check);
  if (form !== undefined) return form;
  const field = fieldOf(check.subject ?? "");
  const isCount = field === undefined && typeOf(actual) === "number";
  return JSON.stringify([
    field ?? subjectKey(check),
    relation,
    typeOf(expected),
    typeOf(actual),
    ...(isCount ? clauses : []),
  ]);
}

/**
 * The key of a failure at some cases of an operation while other cases passed: such failures have one cause.
 */
export function caseKey(check: Failure): string {
  const { operation, cases } = check;
  return cases !== undefined && cases.failed.length > 0 && cases.held.length > 0
    ? JSON.stringify([operation, ...cases.failed])
    : causeKey(check);
}
