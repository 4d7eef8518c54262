import { marked } from "marked";
import type { ClauseList, OpenPoint } from "../../../suites/core/contract/clause-list.ts";
import { type Content, html, Markup } from "../../report/template.ts";

/** The document's Markdown as HTML, with headings one level below the page's. */
export const block = (markdown: string | undefined): Content =>
  markdown === undefined
    ? undefined
    : new Markup(marked.parse(markdown.replaceAll(/^#+ /gm, "### "), { async: false }));

/** The document's Markdown as inline HTML, without paragraphs. */
export const inline = (markdown: string | undefined): Content =>
  markdown === undefined ? undefined : new Markup(marked.parseInline(markdown, { async: false }));

export const code = (text: string): Markup => html`<code>${text}</code>`;

/** The contents with a separator between them. */
export const joined = (contents: readonly Content[], between: Content): Content =>
  contents.flatMap((content, index) => (index === 0 ? [content] : [between, content]));

/** Links to open points. Several numbers may refer to one merged open point. */
export function openPointLinks(
  catalogue: ClauseList,
  points: string | readonly string[] | undefined,
): Content {
  if (points === undefined) return undefined;
  const entryFor = (id: string): OpenPoint | undefined =>
    catalogue.open_points.find(
      (point) => point.id === id || point.merges?.some((number) => `OPEN-${number}` === id),
    );
  const links = [points]
    .flat()
    .flatMap((id) => entryFor(id)?.id ?? [])
    .filter((id, index, all) => all.indexOf(id) === index)
    .map((id) => html`<a href="#${id}">${id}</a>`);
  return html`<span class="open">left open: ${joined(links, ", ")}</span>`;
}
