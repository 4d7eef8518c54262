import { entityCharacter } from "./html-entities.ts";

/** A text without escapes, with the original position of each character. */
interface Unescaped {
  readonly text: string;
  /** The start of a character in the original text, including its escape. */
  start(index: number): number;
  /** End of the character. */
  end(index: number): number;
}

/** A kind of escape. */
interface Escapes {
  /** Texts without this mark are unchanged. */
  readonly mark: RegExp;
  readonly pattern: RegExp;
  /** The character of an escape: after a backslash the next character, for a plus a space. */
  read(found: RegExpMatchArray): string;
}

const byCode = (digits: string | undefined, radix: number): string | undefined =>
  digits === undefined ? undefined : String.fromCharCode(Number.parseInt(digits, radix));

/**
 * `\u0041` and `\/` in JSON, also in nested JSON; `%41` in URLs, and `%2541` in nested URLs; a plus for a
 * space in forms. Each percent-encoded byte becomes a character.
 */
const JSON_AND_URLS: Escapes = {
  mark: /[\\%+]/,
  pattern: /\\+u([0-9a-f]{4})|\\+|%(?:25)*([0-9a-f]{2})|\+/gi,
  read: ([all, unit, byte]) => byCode(unit ?? byte, 16) ?? all.charAt(0),
};

/** `\x41` and `\101` in programs' logs, in addition to the escapes above. */
const PROGRAMS: Escapes = {
  mark: /\\x[0-9a-f]{2}|\\[0-3][0-7]{2}/i,
  pattern: /\\+u([0-9a-f]{4})|\\+x([0-9a-f]{2})|\\+([0-3][0-7]{2})|\\+|%(?:25)*([0-9a-f]{2})|\+/gi,
  read: ([all, unit, hex, octal, byte]) =>
    byCode(unit ?? hex ?? byte, 16) ?? byCode(octal, 8) ?? all.charAt(0),
};

/** `&#65;`, `&#x41;` and `&plus;` in HTML, also in nested HTML. */
const HTML: Escapes = {
  mark: /&[#\w]/,
  pattern: /&(?:amp;)*(#\d{1,7}|#x[0-9a-f]{1,6}|[a-z]{2,8});/gi,
  read: ([all, name = ""]) => entityCharacter(name) ?? all,
};

/** `=41` and soft line breaks in e-mails. */
const QUOTED_PRINTABLE: Escapes = {
  mark: /=(?:[0-9A-F]{2}|\r?\n)/,
  pattern: /=(?:([0-9A-F]{2})|\r?\n)/g,
  read: ([, byte]) => byCode(byte, 16) ?? "",
};

const plainText = (text: string): Unescaped => ({
  text,
  start: (index) => index,
  end: (index) => index + 1,
});

/** A part of a text without escapes: characters that were no escape, or one character of an escape. */
interface Segment {
  /** The position of its first character. */
  readonly at: number;
  /** Its beginning in the text before. */
  readonly from: number;
  /** The end of an escape in the text before. Undefined for other characters. */
  readonly to?: number;
}

/** The last segment that begins at the index or before. */
function segmentAt(segments: readonly Segment[], index: number): Segment {
  let [low, high] = [0, segments.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((segments[middle]?.at ?? 0) <= index) low = middle;
    else high = middle - 1;
  }
  return segments[low] ?? { at: 0, from: 0 };
}

/** Removes escapes of one kind from a text, in one pass. */
function without({ mark, pattern, read }: Escapes, before: Unescaped): Unescaped {
  const { text } = before;
  if (!mark.test(text)) return before;
  const pieces: string[] = [];
  const segments: Segment[] = [];
  let length = 0;
  let from = 0;
  /** The position of a backslash that escapes the next character. */
  let escapedFrom = -1;
  const add = (piece: string, segment: Omit<Segment, "at">) => {
    pieces.push(piece);
    segments.push({ at: length, ...segment });
    length += piece.length;
  };
  const addEscaped = (character: string, start: number, to: number) => {
    add(character, { from: escapedFrom >= 0 ? escapedFrom : start, to });
    escapedFrom = -1;
  };
  const copy = (to: number) => {
    if (escapedFrom >= 0 && from < to) {
      addEscaped(text.charAt(from), from, from + 1);
      from += 1;
    }
    if (from < to) add(text.slice(from, to), { from });
  };
  for (const found of text.matchAll(pattern)) {
    copy(found.index);
    from = found.index + found[0].length;
    const character = read(found);
    // An escaped escape character is decoded twice.
    if (character === "\\") escapedFrom = escapedFrom < 0 ? found.index : escapedFrom;
    else for (const unit of character.split("")) addEscaped(unit === "+" ? " " : unit, found.index, from);
  }
  copy(text.length);
  return {
    text: pieces.join(""),
    start(index) {
      const segment = segmentAt(segments, index);
      return before.start(segment.to === undefined ? segment.from + index - segment.at : segment.from);
    },
    end(index) {
      const segment = segmentAt(segments, index);
      return before.end((segment.to ?? segment.from + index - segment.at + 1) - 1);
    },
  };
}

/** A text without the escapes of JSON and addresses. */
export const unescaped = (text: string): Unescaped => without(JSON_AND_URLS, plainText(text));

/**
 * A text as different programs decode it. The same characters may be an escape in one format only, such as
 * `=41` in a URL.
 */
export function decodings(text: string): readonly Unescaped[] {
  const plain = plainText(text);
  const first = without(JSON_AND_URLS, plain);
  const others = [
    PROGRAMS.mark.test(text) ? without(PROGRAMS, plain) : first,
    without(HTML, first),
    without(QUOTED_PRINTABLE, first),
  ];
  return [first, ...others.filter((one) => one !== first)];
}
