/** Style sheets and scripts that are inlined into single-file pages. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { Markup } from "./template.ts";

export interface Inlined {
  readonly content: Markup;
  /** The hash source for the content security policy. */
  readonly source: string;
}

/** The first style sheets of every document page. */
export const DOCUMENT_STYLES: readonly URL[] = ["base.css", "document.css"].map(
  (name) => new URL(`../../styles/${name}`, import.meta.url),
);

/** Concatenates files. */
export function inlined(...files: readonly URL[]): Inlined {
  const text = files.map((file) => readFileSync(file, "utf8")).join("");
  const digest = createHash("sha256").update(text).digest("base64");
  return { content: new Markup(text), source: `'sha256-${digest}'` };
}
