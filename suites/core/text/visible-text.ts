/**
 * Invisible characters: C0 except tab and line feed, DEL, C1, line and paragraph separators, direction marks,
 * zero-width characters except joiners, and lone surrogates.
 */
const INVISIBLE = /[[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]--[\t\n\u200c\u200d]]/gv;

/** By UTF-16 units, as in JSON and JavaScript. */
const written = (found: string): string =>
  [...Array(found.length).keys()]
    .map((at) => `\\u${found.charCodeAt(at).toString(16).padStart(4, "0")}`)
    .join("");

/**
 * Makes characters visible that would affect a terminal or a log, for example by clearing the screen or
 * reversing text. All output of a target's text passes through this function. JSON stays equivalent.
 */
export const visible = (text: string): string => text.replace(INVISIBLE, written);

/** Escape sequences that only change the style of text. */
const STYLE = new RegExp(`(${String.fromCharCode(0x1b)}\\[\\d{1,2}m)`);

/** Makes characters visible like {@link visible}, but keeps the suite's own styles. */
export const visibleButStyles = (text: string): string =>
  text
    .split(STYLE)
    .map((part, index) => (index % 2 === 1 ? part : visible(part)))
    .join("");
