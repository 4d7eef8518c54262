import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, posix } from "node:path";
import { NAME, packageFolder } from "../../package.ts";
import { type Content, html } from "../../report/template.ts";
import { repositoryName } from "../action-references.ts";
import { rootOf, type SitePage } from "./layout.ts";
import { type RenderedDocument, renderMarkdown } from "./markdown.ts";

interface Guide {
  readonly source: string;
  readonly path: string;
}

const IN_DOCS = readdirSync(join(packageFolder, "docs"))
  .filter((name) => name.endsWith(".md"))
  .toSorted();

const GUIDES: readonly Guide[] = [
  ...IN_DOCS.map((name) => ({ source: `docs/${name}`, path: `guides/${name.replace(/md$/, "html")}` })),
  { source: "results/README.md", path: "guides/results.html" },
  { source: "CONTRIBUTING.md", path: "guides/contributing.html" },
  { source: "SECURITY.md", path: "guides/security.html" },
  { source: "CHANGELOG.md", path: "guides/changelog.html" },
];
const DOCUMENTS: readonly Guide[] = [{ source: "README.md", path: "index.html" }, ...GUIDES];

/** Files whose contents are a page of the site. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  "openapi/clauses.yaml": "clauses.html",
};

/** Resolves a document's link to a page of the site, or to the file in the repository. */
function linkFrom(guide: Guide): (href: string) => string {
  return (href) => {
    if (/^([a-z]+:|#)/.test(href)) return href;
    const [target = "", fragment] = href.split("#");
    const source = posix.normalize(posix.join(posix.dirname(guide.source), target));
    const page = DOCUMENTS.find((one) => one.source === source)?.path ?? ELSEWHERE[source];
    if (page !== undefined) {
      return `${rootOf(guide.path)}${page}${fragment === undefined ? "" : `#${fragment}`}`;
    }
    const kind = statSync(join(packageFolder, source), { throwIfNoEntry: false })?.isDirectory()
      ? "tree"
      : "blob";
    return `https://github.com/${repositoryName}/${kind}/HEAD/${source}`;
  };
}

/** A document with its text, ready for page and search. */
export interface RenderedGuide extends RenderedDocument, Guide {}

export const renderGuides = (): readonly RenderedGuide[] =>
  DOCUMENTS.map((guide) => ({
    ...guide,
    ...renderMarkdown(readFileSync(join(packageFolder, guide.source), "utf8"), linkFrom(guide)),
  }));

function contentsOf(guide: RenderedGuide, guides: readonly RenderedGuide[]): Content {
  const root = rootOf(guide.path);
  const own = guide.headings.filter(({ level }) => level === 2);
  const others = guides.filter(({ path }) => path.startsWith("guides/"));
  return html`${own.length > 0 ? html`<p>On this page</p><ul>${own.map(({ id, text }) => html`<li><a href="#${id}">${text}</a></li>`)}</ul>` : undefined}<p>Guides</p><ul>${others.map(
    ({ path, title }) =>
      html`<li><a href="${root}${path}"${path === guide.path ? html` aria-current="page"` : undefined}>${title}</a></li>`,
  )}</ul>`;
}

/** The first words of a guide, for lists of guides. */
export const opening = ({ sections }: RenderedGuide): string => {
  const text = sections.find((section) => section.text !== "")?.text ?? "";
  return /^.{20,}?[.:](?=\s|$)/.exec(text)?.[0].replace(/:$/, ".") ?? text.slice(0, 160);
};

/** The overview, a page for each guide, and the list of them. */
export function guidePages(guides: readonly RenderedGuide[]): readonly SitePage[] {
  const pages = guides.map(
    (guide): SitePage => ({
      path: guide.path,
      title: guide.path === "index.html" ? NAME : guide.title,
      place: guide.path === "index.html" ? guide.path : "guides/index.html",
      contents: contentsOf(guide, guides),
      main: guide.content,
    }),
  );
  const items = guides
    .filter(({ path }) => path.startsWith("guides/"))
    .map(
      (guide) =>
        html`<li><p><a href="../${guide.path}"><strong>${guide.title}</strong></a></p><p>${opening(guide)}</p></li>`,
    );
  const list: SitePage = {
    path: "guides/index.html",
    title: "Guides",
    place: "guides/index.html",
    main: html`<h1>Guides</h1><ul class="entries">${items}</ul>`,
  };
  return [...pages, list];
}
