/** A text without its escapes, and where each of its characters stands in the text as it was. */
export interface Unescaped {
  readonly text: string;
  /** Where a character begins in the text as it was, its escape included. */
  start(index: number): number;
  /** Where it ends. */
  end(index: number): number;
}

/**
 * `\u0041` and `\/` as in JSON, also in JSON that stands in JSON; `%41` as in addresses, and `%2541` as in addresses in
 * addresses; a plus for a space as in forms.
 */
const ESCAPE = /\\+u([0-9a-f]{4})|\\+|%(?:25)*([0-9a-f]{2})|\+/gi;

const MAY_HAVE_ESCAPES = /[\\%+]/;

const plainText = (text: string): Unescaped => ({
  text,
  start: (index) => index,
  end: (index) => index + 1,
});

/** Takes all escapes out of a text, in one pass. Bytes that were percent-encoded become a character each. */
export function unescaped(text: string): Unescaped {
  if (!MAY_HAVE_ESCAPES.test(text)) return plainText(text);
  const pieces: string[] = [];
  const starts = new Uint32Array(text.length);
  const ends = new Uint32Array(text.length);
  let length = 0;
  let from = 0;
  /** Where a backslash stands that belongs to what comes next. */
  let escapedFrom = -1;
  const add = (piece: string, start: number, end: number) => {
    pieces.push(piece);
    starts[length] = escapedFrom >= 0 ? escapedFrom : start;
    ends[length] = end;
    length += 1;
    escapedFrom = -1;
  };
  const copy = (to: number) => {
    for (; from < to; from += 1) add(text.charAt(from), from, from + 1);
  };
  for (const found of text.matchAll(ESCAPE)) {
    const [all, unit, byte] = found;
    copy(found.index);
    from = found.index + all.length;
    const code = unit ?? byte;
    const character = code === undefined ? all.charAt(0) : String.fromCharCode(Number.parseInt(code, 16));
    // An escape of what would be one itself is taken for that.
    if (character !== "\\") add(character === "+" ? " " : character, found.index, from);
    else if (escapedFrom < 0) escapedFrom = found.index;
  }
  copy(text.length);
  return { text: pieces.join(""), start: (index) => starts[index] ?? 0, end: (index) => ends[index] ?? 0 };
}
