import { styleText } from "node:util";

export type Style = Parameters<typeof styleText>[0];

/** Styles a text for the terminal, or returns the text unchanged if colours are disabled. */
export type Paint = (style: Style, text: string) => string;

export const painter =
  (colours: boolean): Paint =>
  (style, text) =>
    colours ? styleText(style, text, { validateStream: false }) : text;
