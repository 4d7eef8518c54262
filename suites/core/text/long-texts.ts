/** From this length on assertions cut a text. */
const CUT_FROM = 40;
/** Up to this length a line holds both. */
const SHOWN_WHOLE = 80;

/** How a text differs from the one that was due, in words: where both are long, a line holds neither. */
function difference(actual: string, expected: string): string {
  const [came, due] = [[...actual], [...expected]];
  if (Math.max(came.length, due.length) <= SHOWN_WHOLE) return `'${actual}' where '${expected}' was due`;
  const same = due.findIndex((letter, place) => letter !== came[place]);
  if (same === -1) return `${came.length} characters, where the first ${due.length} were due`;
  if (same === came.length) return `the first ${came.length} of the ${due.length} characters that were due`;
  const lengths = came.length === due.length ? "" : ` where ${due.length} were due`;
  return `${came.length} characters${lengths}, which differ from the ${same + 1}th on`;
}

/** Sentences on what is shown cut are shorter; what a subject has written into a longer one isn't searched. */
const LONGEST_SENTENCE = 400;

/**
 * A sentence on two texts that it shows cut, with their lengths and where they part; any other as it is.
 * @param sentence `LABEL: 'ACTUAL…' where 'EXPECTED…' was due`
 */
export function withLengths(sentence: string, error: Error): string {
  const actual: unknown = Reflect.get(error, "actual");
  const expected: unknown = Reflect.get(error, "expected");
  if (typeof actual !== "string" || typeof expected !== "string" || actual === expected) return sentence;
  if (Math.max(actual.length, expected.length) < CUT_FROM || sentence.length > LONGEST_SENTENCE)
    return sentence;
  const [, label] = /^((?:[^']*: )?)'.*' where '.*' was due$/s.exec(sentence) ?? [];
  return label === undefined ? sentence : `${label}${difference(actual, expected)}`;
}
