import { entityCharacter } from "./html-entities.ts";

/** A text without its escapes, and where each of its characters stands in the text as it was. */
export interface Unescaped {
  readonly text: string;
  /** Where a character begins in the text as it was, its escape included. */
  start(index: number): number;
  /** Where it ends. */
  end(index: number): number;
}

/** A way to escape characters. */
interface Escapes {
  /** Texts that it doesn't occur in stay as they are. */
  readonly mark: RegExp;
  readonly pattern: RegExp;
  /** What an escape stands for: a backslash belongs to what comes next, a plus is a space. */
  read(found: RegExpMatchArray): string;
}

const byCode = (digits: string | undefined, radix: number): string | undefined =>
  digits === undefined ? undefined : String.fromCharCode(Number.parseInt(digits, radix));

/**
 * `\u0041` and `\/` as in JSON, also in JSON that stands in JSON; `%41` as in addresses, and `%2541` as in addresses in
 * addresses; a plus for a space as in forms. Bytes that were percent-encoded become a character each.
 */
const JSON_AND_ADDRESSES: Escapes = {
  mark: /[\\%+]/,
  pattern: /\\+u([0-9a-f]{4})|\\+|%(?:25)*([0-9a-f]{2})|\+/gi,
  read: ([all, unit, byte]) => byCode(unit ?? byte, 16) ?? all.charAt(0),
};

/** `\x41` and `\101`, as programs' logs have them, besides. */
const PROGRAMS: Escapes = {
  mark: /\\x[0-9a-f]{2}|\\[0-3][0-7]{2}/i,
  pattern: /\\+u([0-9a-f]{4})|\\+x([0-9a-f]{2})|\\+([0-3][0-7]{2})|\\+|%(?:25)*([0-9a-f]{2})|\+/gi,
  read: ([all, unit, hex, octal, byte]) =>
    byCode(unit ?? hex ?? byte, 16) ?? byCode(octal, 8) ?? all.charAt(0),
};

/** `&#65;`, `&#x41;` and `&plus;` as in HTML, also in HTML that stands in HTML. */
const HTML: Escapes = {
  mark: /&[#\w]/,
  pattern: /&(?:amp;)*(#\d{1,7}|#x[0-9a-f]{1,6}|[a-z]{2,8});/gi,
  read: ([all, name = ""]) => entityCharacter(name) ?? all,
};

/** `=41` as in e-mails, and lines that go on. */
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

/** Takes escapes of one kind out of a text, in one pass. */
function without({ mark, pattern, read }: Escapes, before: Unescaped): Unescaped {
  const { text } = before;
  if (!mark.test(text)) return before;
  const pieces: string[] = [];
  const starts = new Uint32Array(text.length);
  const ends = new Uint32Array(text.length);
  let length = 0;
  let from = 0;
  /** Where a backslash stands that belongs to what comes next. */
  let escapedFrom = -1;
  const add = (piece: string, start: number, end: number) => {
    pieces.push(piece);
    starts[length] = before.start(escapedFrom >= 0 ? escapedFrom : start);
    ends[length] = before.end(end - 1);
    length += 1;
    escapedFrom = -1;
  };
  const copy = (to: number) => {
    for (; from < to; from += 1) add(text.charAt(from), from, from + 1);
  };
  for (const found of text.matchAll(pattern)) {
    copy(found.index);
    from = found.index + found[0].length;
    const character = read(found);
    // An escape of what would be one itself is taken for that.
    if (character === "\\") escapedFrom = escapedFrom < 0 ? found.index : escapedFrom;
    else for (const unit of character.split("")) add(unit === "+" ? " " : unit, found.index, from);
  }
  copy(text.length);
  return { text: pieces.join(""), start: (index) => starts[index] ?? 0, end: (index) => ends[index] ?? 0 };
}

/** A text without the escapes of JSON and addresses. */
export const unescaped = (text: string): Unescaped => without(JSON_AND_ADDRESSES, plainText(text));

/**
 * A text as each reader takes it that may have written it: what is an escape to one is a character to another, such as `=41`
 * in an address. The escapes of HTML and e-mails may stand in JSON.
 */
export function readings(text: string): readonly Unescaped[] {
  const plain = plainText(text);
  const first = without(JSON_AND_ADDRESSES, plain);
  const others = [
    PROGRAMS.mark.test(text) ? without(PROGRAMS, plain) : first,
    without(HTML, first),
    without(QUOTED_PRINTABLE, first),
  ];
  return [first, ...others.filter((one) => one !== first)];
}
