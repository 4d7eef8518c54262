/** Code and data as they are shown: texts alone, with JSON's parts told apart by colour. */
import { h } from "/pages/shared/dom.js";
import { act } from "./polling.js";

/** @param {...Parameters<typeof h>[2]} content */
export const code = (...content) => h("pre", { tabindex: 0 }, h("code", null, ...content));

/** @param {Record<string, string>} headers */
export const headers = (headers) =>
  code(
    Object.entries(headers).map(([name, value]) => [h("span", { class: "json-key" }, name), `: ${value}\n`]),
  );

/**
 * A body, with its lines broken where it is JSON, and a button that copies it as it came.
 * @param {string} text
 * @param {string} name
 */
export function body(text, name) {
  const copy = () => void act("Copied", () => navigator.clipboard.writeText(text));
  return h(
    "div",
    { class: "body" },
    h("button", { type: "button", class: "copy", "aria-label": `Copy ${name}`, onclick: copy }, "Copy"),
    code(coloured(pretty(text))),
  );
}

/** @param {string} text */
function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

const part = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(true|false|null)\b|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)/g;

/**
 * The text in pieces, of which names, texts and values are marked.
 * @param {string} text
 */
function coloured(text) {
  /** @type {Parameters<typeof h>[2][]} */
  const pieces = [];
  let from = 0;
  for (const match of text.matchAll(part)) {
    const [all, string, colon, word] = match;
    if (match.index > from) pieces.push(text.slice(from, match.index));
    const kind = string === undefined ? (word === undefined ? "number" : "word") : colon ? "key" : "string";
    pieces.push(h("span", { class: `json-${kind}` }, string ?? all), colon ?? "");
    from = match.index + all.length;
  }
  pieces.push(text.slice(from));
  return pieces;
}
