/**
 * Invisible characters: C0 except tab and line feed, DEL, C1, line and paragraph separators, direction marks,
 * zero-width characters except joiners, and lone surrogates.
 */
const INVISIBLE = /[[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]--[\t\n\u200c\u200d]]/gv;

/** By UTF-16 units, as JSON and JavaScript write them. */
const written = (found: string): string =>
  [...Array(found.length).keys()]
    .map((at) => `\\u${found.charCodeAt(at).toString(16).padStart(4, "0")}`)
    .join("");

/**
 * Text without characters that act on a terminal or a log: a wiped terminal, a reversed line, a new line of a log. All
 * text from a target passes through here on its way out. JSON stays the same JSON.
 */
export const visible = (text: string): string => text.replace(INVISIBLE, written);

/** Sequences that only change the style of text on a terminal. */
const STYLE = new RegExp(`(${String.fromCharCode(0x1b)}\\[\\d{1,2}m)`);

/** The same for text with our own styles. */
export const visibleButStyles = (text: string): string =>
  text
    .split(STYLE)
    .map((part, index) => (index % 2 === 1 ? part : visible(part)))
    .join("");
