import { NAME, VERSION } from "../../package.ts";
import { DOCUMENT_STYLES, type Inlined, inlined } from "../../report/inlined.ts";
import { renderSingleFile } from "../../report/single-file-page.ts";
import { type Content, html, type Markup } from "../../report/template.ts";

/** A page of the site. */
export interface SitePage {
  readonly path: string;
  readonly title: string;
  readonly place: string;
  /** Links within the page and to neighbouring pages. */
  readonly contents?: Content;
  readonly main: Content;
  readonly script?: Inlined;
}

/** The navigation at the top of every page. */
const PLACES: readonly (readonly [path: string, name: string])[] = [
  ["index.html", "Overview"],
  ["guides/index.html", "Guides"],
  ["api.html", "API"],
  ["clauses.html", "Clauses"],
  ["open-points.html", "Open points"],
  ["results.html", "Results"],
];

/** The relative path from a page to the site's folder. Links work on any server and from a disk. */
export const rootOf = (path: string): string => "../".repeat(path.split("/").length - 1);

/** The navigation and the search, which runs in the browser. */
export function siteHeader(path: string, place: string): Markup {
  const root = rootOf(path);
  const links = PLACES.map(
    ([to, name]) =>
      html`<li><a href="${root}${to}"${to === place ? html` aria-current="page"` : undefined}>${name}</a></li>`,
  );
  return html`<div class="site">
<p class="brand"><a href="${root}index.html">${NAME}</a> <span>${VERSION}</span></p>
<nav aria-label="Site"><ul>${links}</ul></nav>
<form role="search" action="${root}search.html"><label><span class="visually-hidden">Search the site</span><input type="search" name="q" placeholder="Search" autocomplete="off"></label><button>Search</button></form>
</div>`;
}

const fileOf = (name: string): URL => new URL(name, import.meta.url);

/** The header's style, for a page with its own style. */
export const SITE_HEADER_STYLE: URL = fileOf("header.css");

/** A single-file page without external resources. */
export function renderPage({ path, title, place, contents, main, script }: SitePage): string {
  const style = inlined(...DOCUMENT_STYLES, SITE_HEADER_STYLE, fileOf("site.css"));
  const body = html`<header>${siteHeader(path, place)}</header>
<div class="page${contents === undefined ? " alone" : ""}">
<main id="content" tabindex="-1">${main}</main>
${contents === undefined ? undefined : html`<nav class="contents" aria-label="Contents">${contents}</nav>`}
</div>`;
  return renderSingleFile({
    title: title === NAME ? NAME : `${title}: ${NAME}`,
    style,
    ...(script && { script }),
    formAction: "'self' file:",
    skip: { to: "content", words: "Skip to the content" },
    body,
  });
}
