/** What stands inside of a page that is one file and fetches nothing: style sheets and scripts. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { Markup } from "./template.ts";

export interface Inlined {
  readonly content: Markup;
  /** How a content security policy names it: by what it holds. */
  readonly source: string;
}

/** Style sheets that every page of this kind begins with. */
export const DOCUMENT_STYLES: readonly URL[] = ["base.css", "document.css"].map(
  (name) => new URL(`../../styles/${name}`, import.meta.url),
);

/** One after the other. */
export function inlined(...files: readonly URL[]): Inlined {
  const text = files.map((file) => readFileSync(file, "utf8")).join("");
  const digest = createHash("sha256").update(text).digest("base64");
  return { content: new Markup(text), source: `'sha256-${digest}'` };
}
