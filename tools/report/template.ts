import { visible } from "../../suites/core/text/visible-text.ts";

/** Text that is HTML already. Whatever else goes into a template is escaped. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type Content = Markup | string | number | undefined | readonly Content[];

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Safe between tags and in quoted attributes, and to look at. */
export const escaped = (text: string): string =>
  visible(text).replace(/[&<>"']/g, (found) => ENTITIES[found] ?? found);

function written(content: Content): string {
  if (content === undefined) return "";
  if (content instanceof Markup) return content.text;
  if (typeof content === "string") return escaped(content);
  if (typeof content === "number") return String(content);
  return content.map(written).join("");
}

/** A template for HTML and SVG: what is put in is escaped unless it is a template's result. Attributes need quotes. */
export const html = (strings: TemplateStringsArray, ...contents: readonly Content[]): Markup =>
  new Markup(String.raw({ raw: strings }, ...contents.map(written)));
