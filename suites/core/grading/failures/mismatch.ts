import { isFieldName } from "../../contract/field-names.ts";
import { isObject, numberOf } from "../../json.ts";
import { differenceOf, textDifference } from "../../text/differences.ts";
import { type Clean, Described, entriesInLine, inLine, withoutBreaks } from "../../text/shown-value.ts";

/**
 * The expected relation between the observed and the expected value. Reports show it after "expected" and the
 * subject.
 */
export type Relation =
  | "to be"
  | "not to be"
  | "to be at least"
  | "to be at most"
  | "to be more than"
  | "to be less than"
  | "to be one of"
  | "not to be one of"
  | "to be empty"
  | "not to be empty"
  | "to include"
  | "not to include"
  | "to start with"
  | "to match"
  | "not to match"
  | "to have"
  | "to have length"
  /** The subject is an operation, the values are statuses. */
  | "to answer"
  /** The subject is an operation, the values are error codes. */
  | "to refuse with"
  /** The subject is an event, a response or a list entry. */
  | "to arrive"
  /** The subject is a forbidden request or event, without an article. */
  | "not to arrive"
  /** The subject is a sentence about a forbidden observation. */
  | "not to happen";

/** A field at some place or time: `version` and `after the change`. */
interface FieldSubject {
  readonly field: string;
  /** The words after the field's name. */
  readonly where: string;
}

/** The compared thing by its field, or in words. A documented field's name may stand alone. */
export type Subject = string | FieldSubject;

/** The subject and the field of a mismatch. */
export function subjectParts(subject: Subject): Pick<Mismatch, "subject" | "field"> {
  if (typeof subject !== "string")
    return { subject: `${subject.field} ${subject.where}`.trim(), field: subject.field };
  return { subject, ...(isFieldName(subject) && { field: subject }) };
}

/** A failed expectation as data, which reports format. */
export interface Mismatch {
  /** What is compared: a field, a count, an operation. */
  readonly subject: string;
  /** The name that failures of the same thing share: `customer.phone`, `attempt`. */
  readonly field?: string | undefined;
  readonly relation: Relation;
  /** The expected value, if the relation has one. */
  readonly expected?: unknown;
  /** The observed value. Undefined if there is none. */
  readonly actual?: unknown;
  /** The error code that belongs to the expected status. */
  readonly code?: string | undefined;
  /** The details of an error response that is the actual value. */
  readonly details?: unknown;
  /** A reason or a hint, read after a colon. */
  readonly note?: string | undefined;
  /** The rule that the request violates intentionally. */
  readonly violates?: string | undefined;
}

/** A failure with a sentence about a forbidden observation. */
export const forbiddenObservation = (
  statement: string,
  compared: Pick<Mismatch, "expected" | "actual"> = {},
): Mismatch => ({
  subject: statement,
  relation: "not to happen",
  ...compared,
});

const asItIs: Clean = (text) => text;

const alternatives = (value: unknown, shown: (one: unknown) => string): string =>
  Array.isArray(value) ? value.map(shown).join(" or ") : shown(value);

/** Expected statuses or error codes in words; other values unchanged. */
export const expectedValue = ({ relation, expected }: Pick<Mismatch, "relation" | "expected">): unknown =>
  Array.isArray(expected) && (relation === "to answer" || relation === "to refuse with")
    ? alternatives(expected, String)
    : expected;

const plainText = (value: unknown, clean: Clean): string =>
  typeof value === "string" ? clean(value) : inLine(value, clean);

/** `dropoff.text`, or `dropoff.text of the delivery after the change`. */
const placeOf = (subject: string, path: readonly string[]): string =>
  path.length > 0 && subject.includes(" ") ? `${path.join(".")} of ${subject}` : [subject, ...path].join(".");

function equality({ subject, expected, actual }: Mismatch, clean: Clean): string {
  const { path, others, words, ...at } = differenceOf(expected, actual, clean);
  const place = placeOf(subject, path);
  const rest = others === 0 ? "" : ` (${others} more ${others === 1 ? "field differs" : "fields differ"})`;
  return words === undefined
    ? `expected ${place} to be ${inLine(at.expected, clean)}, got ${inLine(at.actual, clean)}${rest}`
    : `${place}: ${words}${rest}`;
}

/** The path of the first member that differs, if two objects are compared: `customer.phone`. */
export function differingField({ relation, expected, actual }: Mismatch, clean: Clean): string | undefined {
  if (relation !== "to be") return undefined;
  return differenceOf(expected, actual, clean).path.join(".") || undefined;
}

/** The first expected member that differs, or both values if one isn't an object. */
function containment(mismatch: Mismatch, clean: Clean): string {
  const { subject, expected, actual } = mismatch;
  if (!isObject(expected) || expected instanceof Described || !isObject(actual))
    return `expected ${subject} to have ${inLine(expected, clean)}, got ${inLine(actual, clean)}`;
  const compared = Object.fromEntries(Object.keys(expected).map((name) => [name, actual[name]]));
  return equality({ ...mismatch, actual: compared }, clean);
}

/** The beginning of a text, or the place of the difference if only a later part differs. */
function beginning({ subject, expected, actual }: Mismatch, clean: Clean): string {
  const words =
    typeof expected === "string" && typeof actual === "string"
      ? textDifference(expected, actual, clean, false)
      : undefined;
  return words === undefined
    ? `expected ${subject} to start with ${inLine(expected, clean)}, got ${inLine(actual, clean)}`
    : `${subject}, compared with the expected beginning: ${words}`;
}

export const entries = (count: number): string => `${count} ${count === 1 ? "entry" : "entries"}`;

const hasLength = ({ subject, expected, actual }: Mismatch, clean: Clean): string =>
  `expected ${subject} to have ${entries(numberOf(expected))}, got ${Array.isArray(actual) ? actual.length : inLine(actual, clean)}`;

/** What arrived instead of the expected thing. */
function arrived(actual: unknown, clean: Clean): string {
  if (actual === undefined) return "nothing";
  if (!Array.isArray(actual)) return plainText(actual, clean);
  return actual.length === 0 ? "nothing" : `only ${entriesInLine(actual, clean)}`;
}

function arrival({ subject, expected, actual }: Mismatch, clean: Clean): string {
  const when = expected === undefined ? "" : ` to arrive ${plainText(expected, clean)}`;
  return `expected ${subject}${when}, got ${arrived(actual, clean)}`;
}

const detailsText = ({ details }: Mismatch, clean: Clean): string =>
  details === undefined || details === null ? "" : ` with details ${inLine(details, clean)}`;

function sentence(mismatch: Mismatch, clean: Clean): string {
  const { subject, relation, expected, actual } = mismatch;
  const got = `, got ${inLine(actual, clean)}`;
  switch (relation) {
    case "to be":
      return equality(mismatch, clean);
    case "to have":
      return containment(mismatch, clean);
    case "to start with":
      return beginning(mismatch, clean);
    case "to have length":
      return hasLength(mismatch, clean);
    case "to be empty":
      return `expected ${subject} to be empty${got}`;
    case "not to be empty":
      return `expected ${subject} not to be empty`;
    case "not to be":
      return `expected ${subject} not to be ${inLine(expected, clean)}`;
    case "to be one of":
      return `expected ${subject} to be ${alternatives(expected, (one) => inLine(one, clean))}${got}`;
    case "not to be one of":
      return `expected ${subject} not to be ${alternatives(expected, (one) => inLine(one, clean))}${got}`;
    case "to answer":
      return `${subject}: expected status ${alternatives(expected, String)}${mismatch.code === undefined ? "" : ` ${mismatch.code}`}, got ${plainText(actual, clean)}${detailsText(mismatch, clean)}`;
    case "to refuse with":
      return `${subject}: expected error code ${alternatives(expected, String)}, got ${plainText(actual, clean)}`;
    case "to arrive":
      return arrival(mismatch, clean);
    case "not to arrive":
      return `expected no ${subject}, got ${actual === undefined ? "one" : plainText(actual, clean)}`;
    case "not to happen":
      return subject;
    default:
      return `expected ${subject} ${relation} ${inLine(expected, clean)}${got}`;
  }
}

/** The note on the response to an intentionally invalid request. */
export const purposeText = (violates: string): string => ` (request was invalid on purpose: ${violates})`;

/**
 * A mismatch as a one-line sentence. All reports get the wording from here.
 * @param clean removes secrets from values before they are cut, and from the sentence
 */
export function mismatchText(mismatch: Mismatch, clean: Clean = asItIs): string {
  const { note, violates } = mismatch;
  const purpose = violates === undefined ? "" : purposeText(violates);
  const reason = note === undefined ? "" : `: ${note}`;
  return withoutBreaks(clean(`${sentence(mismatch, clean)}${reason}${purpose}`));
}

/** Words before an expected value that is shown without its sentence. Equality needs no words. */
const EXPECTED_WORDS: Readonly<Partial<Record<Relation, string>>> = {
  "not to be": "anything but",
  "to be at least": "at least",
  "to be at most": "at most",
  "to be more than": "more than",
  "to be less than": "less than",
  "to be one of": "one of",
  "not to be one of": "none of",
  "to include": "a value that includes",
  "not to include": "anything without",
  "to start with": "text that starts with",
  "to match": "text that matches",
  "not to match": "text that doesn't match",
  "to have": "an object with",
  "to have length": "entries:",
};

const EXPECTED_TEXT_WITHOUT_VALUE: Readonly<Partial<Record<Relation, string>>> = {
  "to be empty": "nothing",
  "not to arrive": "nothing",
  "not to be empty": "at least one entry",
};

/** The expected value, as shown next to the observed one: `at most 3`. */
export function expectedText({
  relation,
  expected,
}: {
  readonly relation?: Relation | undefined;
  readonly expected?: string | undefined;
}): string | undefined {
  if (relation === undefined) return expected;
  if (EXPECTED_TEXT_WITHOUT_VALUE[relation] !== undefined) return EXPECTED_TEXT_WITHOUT_VALUE[relation];
  const words = EXPECTED_WORDS[relation];
  return words === undefined || expected === undefined ? expected : `${words} ${expected}`;
}
