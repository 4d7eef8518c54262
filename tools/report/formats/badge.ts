import type { Verdict } from "../../../suites/core/grading/grade.ts";
import type { Report } from "../model.ts";
import { html } from "../template.ts";

const COLOURS: Readonly<Record<Verdict, string>> = {
  CONFORMANT: "#1a7f4b",
  NONCONFORMANT: "#b3181f",
  INCOMPLETE: "#8a4b00",
  ERROR: "#6a2cad",
};
const SIGNS: Readonly<Record<Verdict | "NOT_CLAIMED", string>> = {
  CONFORMANT: "✓",
  NONCONFORMANT: "✗",
  INCOMPLETE: "?",
  ERROR: "⚡",
  NOT_CLAIMED: "",
};
const LABEL = "Courier Dispatch";
const HEIGHT = 20;
const PADDING = 7;
/** The assumed width of a letter, larger than any letter of the font. `textLength` makes the text fill its space. */
const LETTER_WIDTH = 6.6;

const widthOf = (text: string): number => Math.ceil(text.length * LETTER_WIDTH);

/**
 * The contents of badge.svg: the verdict, and the result of each claimed level. Its label is for screen readers.
 */
export function renderBadge({ verdict, levels }: Report): string {
  const claimed = Object.entries(levels).filter(([, of]) => of.verdict !== "NOT_CLAIMED");
  const fields = [
    { text: LABEL, fill: "#3b4250" },
    { text: verdict.toLowerCase(), fill: COLOURS[verdict] },
    { text: claimed.map(([level, of]) => `${level} ${SIGNS[of.verdict]}`).join("  "), fill: "#59606e" },
  ];
  let right = 0;
  const drawn = fields.map(({ text, fill }) => {
    const left = right;
    right += widthOf(text) + 2 * PADDING;
    return html`<rect x="${left}" width="${right - left}" height="${HEIGHT}" fill="${fill}"/><text x="${left + PADDING}" y="14" textLength="${widthOf(text)}">${text}</text>`;
  });
  const label = `${LABEL}: ${verdict}; ${claimed.map(([level, of]) => `${level} ${of.verdict}`).join(", ")}`;
  return html`<svg xmlns="http://www.w3.org/2000/svg" width="${right}" height="${HEIGHT}" role="img" aria-label="${label}"><title>${label}</title><clipPath id="round"><rect width="${right}" height="${HEIGHT}" rx="3"/></clipPath><g clip-path="url(#round)" fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" xml:space="preserve">${drawn}</g></svg>
`.text;
}
