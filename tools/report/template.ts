import { visible } from "../../suites/core/text/visible-text.ts";

/** Text that is HTML. Templates escape all other text. */
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

/** Text that is escaped for HTML and quoted attributes, with visible control characters. */
export const escaped = (text: string): string =>
  visible(text).replace(/[&<>"']/g, (found) => ENTITIES[found] ?? found);

function rendered(content: Content): string {
  if (content === undefined) return "";
  if (content instanceof Markup) return content.text;
  if (typeof content === "string") return escaped(content);
  if (typeof content === "number") return String(content);
  return content.map(rendered).join("");
}

/** An HTML or SVG template. It escapes all values except `Markup`. Attributes must be quoted. */
export const html = (strings: TemplateStringsArray, ...contents: readonly Content[]): Markup =>
  new Markup(String.raw({ raw: strings }, ...contents.map(rendered)));
