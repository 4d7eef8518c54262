import { isObject } from "../json.ts";
import { isMatcher, shownValue } from "./sentence.ts";

/** How many entries of a list a line names. */
const NAMED = 3;
/** From this length on an entry is cut where it stands in a line. */
const LONGEST_ENTRY = 60;

function inLine(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? "[]" : `[ ${entriesInLine(value)} ]`;
  const shown = typeof value === "string" ? `'${value}'` : shownValue(value).replaceAll(/\s*\n\s*/g, " ");
  const characters = [...shown];
  return characters.length <= LONGEST_ENTRY ? shown : `${characters.slice(0, LONGEST_ENTRY).join("")}…`;
}

/** The first entries, and how many more there are. */
function entriesInLine(list: readonly unknown[]): string {
  const named = list.slice(0, NAMED).map(inLine).join(", ");
  return list.length <= NAMED ? named : `${named} and ${list.length - NAMED} more`;
}

/** Whether a value is what was due, where that may stand for many. */
function agrees(value: unknown, due: unknown): boolean {
  if (isMatcher(due)) return due.asymmetricMatch(value);
  if (Array.isArray(value) && Array.isArray(due))
    return value.length === due.length && due.every((one, place) => agrees(value[place], one));
  if (isObject(value) && isObject(due))
    return [...Object.keys(value), ...Object.keys(due)].every((name) => agrees(value[name], due[name]));
  return Object.is(value, due);
}

/** What is left of a list when each entry of the other has taken one that goes with it. */
function leftOf<Entry>(
  list: readonly Entry[],
  others: readonly unknown[],
  goWith: (entry: Entry, other: unknown) => boolean,
): readonly Entry[] {
  const left = [...others];
  return list.filter((entry) => {
    const place = left.findIndex((other) => goWith(entry, other));
    if (place >= 0) left.splice(place, 1);
    return place < 0;
  });
}

const which = (entries: readonly unknown[], due: string) =>
  `${entriesInLine(entries)}, which ${entries.length === 1 ? "was" : "were"} ${due}`;

/** A subject may send as many entries as it likes; each is compared with each. */
const MOST_COMPARED = 250;

function listDifference(actual: readonly unknown[], due: readonly unknown[]): string | undefined {
  if (Math.max(actual.length, due.length) > MOST_COMPARED) return undefined;
  const missing = leftOf(due, actual, (entry, came) => agrees(came, entry));
  const besides = leftOf(actual, due, agrees);
  // One entry, or none of them as it was due: both lists say more than what they lack.
  if (missing.length === due.length && besides.length === actual.length) return undefined;
  if (missing.length + besides.length === 0)
    return `in another order than was due, which begins with ${entriesInLine(due)}`;
  return [
    ...(missing.length > 0 ? [`without ${which(missing, "due")}`] : []),
    ...(besides.length > 0 ? [`with ${which(besides, "not due")}`] : []),
  ].join("; ");
}

/** How a value differs from what was due: a list by its entries, an object by the first member that does. */
function difference(actual: unknown, due: unknown): string {
  if (Array.isArray(actual) && Array.isArray(due)) {
    const lists = listDifference(actual, due);
    if (lists !== undefined) return lists;
  } else if (isObject(actual) && isObject(due) && !isMatcher(due)) {
    const [first, ...rest] = Object.keys(due).filter((name) => !agrees(actual[name], due[name]));
    const more = rest.length === 0 ? "" : `; it differs in ${rest.length} more`;
    if (first !== undefined) return `${first}: ${difference(actual[first], due[first])}${more}`;
    const besides = Object.keys(actual).filter((name) => !Object.hasOwn(due, name));
    if (besides.length > 0) return `with ${which(besides, "not due")}`;
  }
  return `${inLine(actual)} where ${inLine(due)} was due`;
}

/** What assertions write where a list or an object, or what is in one, is too long for them. */
const CUT = /…\(\d+\)|\b(?:Array\(\d+\)|Object \()/;
/** Sentences on what is shown cut are shorter; what a subject has written into a longer one isn't searched. */
const LONGEST_SENTENCE = 400;

const isComposite = (value: unknown) => typeof value === "object" && value !== null;

/**
 * A sentence on a list or an object that it shows cut, with what it is about; any other as it is.
 * @param sentence `LABEL: ACTUAL where EXPECTED was due`, or what else is said of ACTUAL
 */
export function withEntries(sentence: string, error: Error): string {
  const actual: unknown = Reflect.get(error, "actual");
  const due: unknown = Reflect.get(error, "expected");
  if (sentence.length > LONGEST_SENTENCE || !CUT.test(sentence)) return sentence;
  const [, label] = /^((?:.*?: )?)(?:[[{]|null |undefined )/s.exec(sentence) ?? [];
  if (label === undefined) return sentence;
  if (/ where .+ was due$/s.test(sentence))
    return isComposite(actual) || isComposite(due) ? `${label}${difference(actual, due)}` : sentence;
  const [held] = / (?:holds|doesn't hold) .+$/s.exec(sentence) ?? [];
  return held !== undefined && isComposite(actual) ? `${label}${inLine(actual)}${held}` : sentence;
}
