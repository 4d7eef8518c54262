import type { Outcome } from "../../../suites/core/grading/outcome.ts";

/** The parts of a failure from which its cause is derived. */
interface Failure
  extends Pick<
    Outcome,
    | "subject"
    | "field"
    | "relation"
    | "expected"
    | "actual"
    | "operation"
    | "fault"
    | "message"
    | "cases"
    | "exchanges"
  > {
  readonly clauses?: readonly string[];
}

const TIME = "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d(?::\\d\\d(?:\\.\\d+)?)?";

/** The formats of malformed values. Failures with the same format have the same cause, in any field. */
const MALFORMED: readonly (readonly [form: string, pattern: RegExp])[] = [
  ["a time without a zone", new RegExp(`${TIME}(?![\\d:.Z+-])`)],
  ["a time with an offset", new RegExp(`${TIME}[+-]\\d\\d:\\d\\d`)],
];
/** Ten digits, or eleven with a leading zero. */
const NATIONAL_PHONE = /^'?0?[1-9]\d{9}'?$/;

/** The format of the malformed value in a failure; undefined if there is no such value. */
function malformedForm({ field = "", actual = "" }: Failure): string | undefined {
  if (field.includes("phone") && NATIONAL_PHONE.test(actual)) return "a phone number in national form";
  return MALFORMED.find(([, pattern]) => pattern.test(actual))?.[0];
}

/** True if a field has no value, although it should have one. */
const isUnset = ({ relation, expected, actual }: Failure): boolean =>
  relation === "to be"
    ? actual === undefined || actual === "null"
    : relation === "not to be" && expected === "null";

/**
 * The key of a field without a value after a PATCH, because one fault often affects several fields. Undefined if the check's
 * last change is another request.
 */
function lossKey(check: Failure): string | undefined {
  const change = check.exchanges?.findLast(({ request }) => request.method !== "GET");
  return isUnset(check) && change?.request.method === "PATCH" ? `unset by ${change.operation}` : undefined;
}

const NUMBER = /^-?\d+(?:\.\d+)?$/;

/** The type of a value that varies between checks; undefined for other values, such as states, which identify the fault. */
function typeOf(value: string | undefined): string | undefined {
  if (value === undefined || !/\d/.test(value)) return value;
  return NUMBER.test(value) ? "number" : "value";
}

/**
 * The key's part for an unexpected status or error code. Valid requests that get the same status or code have the same
 * cause.
 */
function statusKey({ relation, expected = "", actual = "" }: Failure): readonly string[] {
  const isRefused = relation === "to answer" && expected.startsWith("2") && !actual.startsWith("2");
  return isRefused ? ["refused", actual] : ["status", relation ?? "", expected, actual];
}

/**
 * The key of a failure's cause. Failures with the same key have the same cause. The key is the named fault, the status,
 * the format of a malformed value, the change that left a field without a value, or the field, relation and value types.
 * A failure without a field has its subject in the key, and a number without a field, such as a count, also the clauses.
 */
export function causeKey(check: Failure): string {
  const { fault, relation, expected, actual, field, message, subject = message, clauses = [] } = check;
  if (fault !== undefined) return fault;
  if (relation === "to answer" || relation === "to refuse with") return JSON.stringify(statusKey(check));
  const name = field?.split(".").at(-1);
  if (relation === "to arrive") return JSON.stringify([relation, name ?? subject]);
  const form = malformedForm(check) ?? lossKey(check);
  if (form !== undefined) return form;
  const isCount = name === undefined && typeOf(actual) === "number";
  return JSON.stringify([
    name ?? subject,
    relation,
    typeOf(expected),
    typeOf(actual),
    ...(isCount ? clauses : []),
  ]);
}

/**
 * The key of a failure whose {@link causeKey} no other failure has: the failed cases of an operation if other cases
 * passed, or else the clauses, the relation and the value types.
 */
export function secondaryKey(check: Failure): string {
  const { operation, cases, clauses, relation, expected, actual } = check;
  if (cases !== undefined && cases.failed.length > 0 && cases.held.length > 0)
    return JSON.stringify([operation, ...cases.failed]);
  return check.fault === undefined && clauses !== undefined && relation !== undefined
    ? JSON.stringify([clauses, relation, typeOf(expected), typeOf(actual)])
    : causeKey(check);
}
