import { diff } from "node:util";
import { type Content, html, type Markup } from "../template.ts";

/** The maximum number of pieces in a diff. A longer diff is slow and hard to read. */
const MAX_PIECES = 3_000;

const pieces = (text: string): string[] => text.match(/\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? [];

const ONLY_EXPECTED = -1;
const ONLY_ACTUAL = 1;

type Entry = readonly [operation: number, text: string];

/** The common and the differing pieces of two texts. If a text is cut, its last piece may be part of a word. */
function entriesOf(expected: string, actual: string): readonly Entry[] {
  if (expected.startsWith(actual))
    return [
      [0, actual],
      [ONLY_EXPECTED, expected.slice(actual.length)],
    ];
  if (actual.startsWith(expected))
    return [
      [0, expected],
      [ONLY_ACTUAL, actual.slice(expected.length)],
    ];
  return diff(pieces(actual), pieces(expected));
}

/** A side of the diff. Adjacent differing pieces share a mark. */
function side(entries: readonly Entry[], own: number, mark: (text: string) => Markup) {
  const shown: Content[] = [];
  let marked = "";
  const flush = () => {
    if (marked !== "") shown.push(mark(marked));
    marked = "";
  };
  for (const [operation, text] of entries) {
    if (operation === own) marked += text;
    else if (operation === 0) {
      flush();
      shown.push(text);
    }
  }
  flush();
  return shown;
}

/** Expected and actual text, with marked differences. Either text may be missing. */
export function difference(expected: string | undefined, actual: string | undefined): Content {
  if (expected === undefined && actual === undefined) return undefined;
  const amount = pieces(expected ?? "").length + pieces(actual ?? "").length;
  const isComparable = expected !== undefined && actual !== undefined && amount <= MAX_PIECES;
  const entries = isComparable ? entriesOf(expected, actual) : [];
  const marked = entries.length > 0;
  const column = (name: string, text: string | undefined, content: Content) =>
    text === undefined
      ? undefined
      : html`<div><h5>${name}</h5><pre class="${name.toLowerCase()}">${content}</pre></div>`;
  return html`<div class="difference">${[
    column(
      "Expected",
      expected,
      marked ? side(entries, ONLY_EXPECTED, (text) => html`<del>${text}</del>`) : expected,
    ),
    column(
      "Actual",
      actual,
      marked ? side(entries, ONLY_ACTUAL, (text) => html`<ins>${text}</ins>`) : actual,
    ),
  ]}</div>`;
}
