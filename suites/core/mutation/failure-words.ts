import { withOperationNames } from "../contract/operation-names.ts";
import { IDENTIFIERS, INSTANTS } from "../text/run-values.ts";

/** A subject's own texts may stand in a failure, and be of any length: what comes later tells nothing apart any more. */
const LONGEST = 2_000;

const UNIT = "(?:day|hour|minute|second|millisecond|microsecond)s?|h|min|s|ms";
const NUMBER = new RegExp(`(?<![\\w.])[+-]?\\d+(?:\\.\\d+)?(?: (?:${UNIT})\\b)?(?!\\w)`, "g");

/** A member's name, a state or a kind in quotes: they tell faults apart. */
const NAME = /^.(?:[a-z][a-z_.]*|[A-Z][A-Z_]*).$/;
const unlessName = (quoted: string): string => (NAME.test(quoted) ? quoted : "VALUE");

/** What differs from run to run is taken out, in this order. */
const takeOut: readonly ((words: string) => string)[] = [
  (words) => words.replace(/https?:\/\/[^\s'",;)]+/g, "URL"),
  (words) => words.replace(INSTANTS, "TIME").replace(IDENTIFIERS, "ID"),
  // The apostrophe of "isn't" has letters on both sides.
  (words) => words.replace(/(?<![\p{L}\d])'(?:[^'\\]|\\.|'(?=\p{L}))*'(?!\p{L})/gu, unlessName),
  (words) => words.replace(/"(?:[^"\\]|\\.)*"/g, unlessName),
  (words) => words.replace(NUMBER, "#"),
  // How many there are of what is told of.
  (words) => words.replace(/ \(and # more\)/g, ""),
  (words) => words.replace(/(VALUE|'(?:ID|TIME|URL)')(?:, \1)*(?: and # more)?/g, "$1"),
];

const FIRST_OF_MANY = / \(\d+ of \d+ exchanges; this is the first\)/;
const OPERATION = "[A-Z]+ /[\\w/{}.-]*";
const ANSWER_TO_IT = new RegExp(`(?:in )?the (?:\\d+ )?answer to ${OPERATION}`);
const IT_ANSWERED = new RegExp(`^${OPERATION} answered`);

/** Which exchange is the first that a check over all of them meets, is chance. */
const ofAnyExchange = (line: string): string =>
  FIRST_OF_MANY.test(line)
    ? line
        .replace(FIRST_OF_MANY, "")
        .replace(ANSWER_TO_IT, "an answer")
        .replace(IT_ANSWERED, "an operation answered")
    : line;

/** How alike words are at most that aren't the same. */
const MOST_ALIKE = 0.99;

/**
 * What a failure says without its values: ids, times, addresses, numbers and quoted texts, which differ from run to run.
 * Two failures of one check say the same where these words are the same. Words of words are the words themselves.
 */
export function failureWords(message: string): string {
  const [line = ""] = message.slice(0, LONGEST).split("\n", 1);
  const words = ofAnyExchange(withOperationNames(line));
  return takeOut.reduce((left, take) => take(left), words);
}

const partsOf = (words: string): ReadonlySet<string> => new Set(words.match(/[\p{L}\d_.']+|#/gu) ?? []);

/** How alike two failures' words are: which share of the words of both is in both; 1 where they say the very same. */
export function likenessOf(one: string, other: string): number {
  if (one === other) return 1;
  const [parts, others] = [partsOf(one), partsOf(other)];
  const common = [...parts].filter((part) => others.has(part)).length;
  const all = parts.size + others.size - common;
  // The same words in another order don't say the same.
  return all === 0 ? 0 : Math.min(common / all, MOST_ALIKE);
}
