/** What differs from run to run, in the order in which it is taken out. */
const OF_ONE_RUN: readonly (readonly [pattern: RegExp, instead: string])[] = [
  // Which exchange is the first that a check over all of them meets.
  [/^(?:in )?the (?:\d+ )?answer to \w+(.*) \(\d+ of \d+ exchanges; this is the first\)/, "an answer$1"],
  [/https?:\/\/[^\s'",;)]+/g, "URL"],
  [/[+-]?\d{4,6}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)?/g, "TIME"],
  // Whole ones, and those that were cut.
  [/\b[\da-f]{8}-[\da-f-]{0,28}(?![\da-f-])/gi, "ID"],
  // Not the apostrophe of "isn't", which has letters on both sides, nor a member's name, a state or a kind: they tell faults apart.
  [/(?<![\p{L}\d])'(?![a-z][a-z_.]*'|[A-Z][A-Z_]*')(?:[^'\\]|\\.|'(?=\p{L}))*'(?!\p{L})/gu, "VALUE"],
  [/"(?:[^"\\]|\\.)*"/g, "VALUE"],
  [/(?<![\w.])[+-]?\d+(?:\.\d+)?(?: (?:milliseconds?|seconds?|minutes?|hours?|ms|s|min)\b)?(?!\w)/g, "#"],
  // How many there are of what is told of.
  [/ \(and # more\)/g, ""],
  [/VALUE(?:, VALUE)*(?: and # more)?/g, "VALUE"],
];

/** How alike words are at most that aren't the same. */
const MOST_ALIKE = 0.99;

/**
 * What a failure says without its values: ids, times, addresses and numbers, which differ from run to run. Two failures
 * of one check say the same where these words are the same. Words of words are the words themselves.
 */
export function failureWords(message: string): string {
  const [line = ""] = message.split("\n");
  return OF_ONE_RUN.reduce((words, [pattern, instead]) => words.replace(pattern, instead), line);
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
