const ESCAPES: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", "0": "\0" };

/** A part of a word: quoted text, an escaped character, or plain text. */
const PART = /'([^']*)'|\$'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|\\(.)|([^\s'"\\$]+|\$)/sy;

const inAnsiQuotes = (text: string): string =>
  text.replaceAll(
    /\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(.))/gs,
    (_, unit: string | undefined, byte: string, letter: string) =>
      letter === undefined ? String.fromCharCode(parseInt(unit ?? byte, 16)) : (ESCAPES[letter] ?? letter),
  );

/**
 * Splits a command line as a shell does. Variables aren't expanded.
 * @returns undefined for an unclosed quote
 */
export function shellWords(line: string): readonly string[] | undefined {
  const words: string[] = [];
  let word: string | undefined;
  for (let at = 0; at < line.length; ) {
    const [space] = /^(?:\s|\\\r?\n)+/.exec(line.slice(at)) ?? [];
    if (space !== undefined) {
      if (word !== undefined) words.push(word);
      word = undefined;
      at += space.length;
      continue;
    }
    PART.lastIndex = at;
    const part = PART.exec(line);
    if (part === null) return undefined;
    const [whole, single, ansi, double, escaped, plain] = part;
    word =
      (word ?? "") +
      (single ??
        (ansi === undefined ? undefined : inAnsiQuotes(ansi)) ??
        double?.replaceAll(/\\(["\\$`])|\\\r?\n/g, "$1") ??
        escaped ??
        plain);
    at += whole.length;
  }
  return word === undefined ? words : [...words, word];
}
