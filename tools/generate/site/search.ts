import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import MiniSearch from "minisearch";
import ts from "typescript";
import { type ApiDocument, operationsOf } from "../../../sandbox/documents/api-document.ts";
import type { Inlined } from "../../report/inlined.ts";
import { html, Markup } from "../../report/template.ts";
import { nameOf } from "../docs/operation.ts";
import type { ClauseListSource } from "./clause-pages.ts";
import type { RenderedGuide } from "./guides.ts";
import type { SitePage } from "./layout.ts";
import { comparable } from "./terms.ts";

interface SearchEntry {
  /** The URL relative to the site's root, with the fragment. */
  readonly id: string;
  readonly title: string;
  readonly kind: string;
  readonly text: string;
}

interface SearchSource extends ClauseListSource {
  readonly guides: readonly RenderedGuide[];
  readonly document: ApiDocument;
}

/** The entries of the search index: sections of guides, operations, clauses, checks and open points. */
function searchEntries({ guides, document, catalogue, suites }: SearchSource): readonly SearchEntry[] {
  return [
    ...guides.flatMap(({ path, title, sections }) =>
      sections.map(({ heading, text }) => ({
        id: `${path}#${heading.id}`,
        title: heading.text,
        kind: heading.text === title ? "guide" : `guide: ${title}`,
        text,
      })),
    ),
    ...operationsOf(document).map((place) => ({
      id: `api.html#${place.operation.operationId}`,
      title: nameOf(place),
      kind: "API",
      text: `${place.operation.summary} ${place.operation.operationId} ${place.operation.description ?? ""}`,
    })),
    ...Object.entries(document.components.schemas).map(([name, schema]) => ({
      id: `api.html#schema-${name}`,
      title: name,
      kind: "API, body",
      text: `${schema.description ?? ""} ${Object.keys(schema.properties ?? {}).join(" ")}`,
    })),
    ...catalogue.clauses.map(({ id, level, section, text }) => ({
      id: `clauses.html#${id}`,
      title: id,
      kind: `clause, ${level}, ${section}`,
      text,
    })),
    ...suites.flatMap(({ subject, checks }) =>
      checks.map(({ id, title }) => ({
        id: `clauses.html#${id}`,
        title: id,
        kind: `check of a ${subject}`,
        text: title,
      })),
    ),
    ...catalogue.open_points.map(({ id, where, text, coping }) => ({
      id: `open-points.html#${id}`,
      title: id,
      kind: `open point, ${where}`,
      text: `${text} ${coping}`,
    })),
  ];
}

/** The index as embedded in the page. behaviour.js reads it with the same fields and the same tokenizer. */
function indexOf(source: SearchSource): string {
  const index = new MiniSearch<SearchEntry>({
    fields: ["title", "text"],
    storeFields: ["title", "kind", "text"],
    processTerm: comparable,
  });
  index.addAll(searchEntries(source));
  // `<` in the index would end the script element.
  return JSON.stringify(index).replaceAll("<", "\\u003c");
}

const javascriptOf = (text: string): string =>
  ts.transpileModule(text, { compilerOptions: { target: ts.ScriptTarget.ESNext } }).outputText;

/**
 * MiniSearch, the tokenizer and the page's script in one classic script, because browsers load no modules
 * from a disk.
 */
function script(): Inlined {
  const library = createRequire(import.meta.url).resolve("minisearch");
  const texts = [
    readFileSync(library.replace(/dist.*$/, "dist/umd/index.js"), "utf8").replace(
      /^\/\/# sourceMappingURL=.*$/m,
      "",
    ),
    javascriptOf(readFileSync(new URL("terms.ts", import.meta.url), "utf8")).replace(/^export /m, ""),
    readFileSync(new URL("behaviour.js", import.meta.url), "utf8"),
  ];
  const text = texts.join("\n");
  return {
    content: new Markup(text),
    source: `'sha256-${createHash("sha256").update(text).digest("base64")}'`,
  };
}

/** The search page, with its index. */
export function searchPage(source: SearchSource): SitePage {
  return {
    path: "search.html",
    title: "Search",
    place: "search.html",
    main: html`<h1>Search</h1>
<form class="query" role="search" aria-label="All of the site"><label><span class="visually-hidden">Words</span><input id="query" type="search" name="q" autocomplete="off" placeholder="Word, clause, check, operation"></label></form>
<noscript><p>The search needs its script; <a href="clauses.html">clauses</a> and <a href="guides/index.html">guides</a> work without it.</p></noscript>
<p class="quiet" id="said" role="status"></p>
<ul class="entries found" id="found"></ul>
<script type="application/json" id="index">${new Markup(indexOf(source))}</script>`,
    script: script(),
  };
}
