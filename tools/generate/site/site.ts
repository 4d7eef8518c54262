import { rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeFolder } from "../../folder.ts";
import { jsonFile } from "../../report/formats/json.ts";
import { renderHtml } from "../../report/html/page.ts";
import { contextOf } from "../../report/model.ts";
import { renderAttestation } from "../../report/statement/attestation.ts";
import type { Entry } from "../../results/entry.ts";
import { writeFileAtomically } from "../../whole-file.ts";
import { type PageSource, renderReference } from "../docs/page.ts";
import { type ClauseListSource, clausesPage, openPointsPage } from "./clause-pages.ts";
import { filesForPrograms } from "./for-programs.ts";
import { guidePages, renderGuides } from "./guides.ts";
import { renderPage, SITE_HEADER_STYLE, siteHeader } from "./layout.ts";
import { reportPath, resultsPage } from "./results-page.ts";
import { searchPage } from "./search.ts";

export interface SiteSource extends PageSource, ClauseListSource {
  /** Valid entries. */
  readonly entries: readonly Entry[];
}

/** The files of an entry on the site: the HTML report, and the files to verify it. */
function entryFiles(entry: Entry, { suites, catalogue }: SiteSource): readonly (readonly [string, string])[] {
  const { report } = entry;
  const suite = suites.find(({ subject }) => subject === report.suite.subject);
  const page = reportPath(entry);
  const context = contextOf(report, suite, catalogue.parts);
  return [
    [page, renderHtml(report, context)],
    [join(dirname(page), "report.json"), jsonFile(report)],
    [join(dirname(page), "attestation.json"), renderAttestation(report)],
  ];
}

/** All files of the site by path. */
export function siteFiles(source: SiteSource): ReadonlyMap<string, string> {
  const guides = renderGuides();
  const pages = [
    ...guidePages(guides),
    clausesPage(source),
    openPointsPage(source),
    resultsPage(source.entries, source.catalogue),
    searchPage({ ...source, guides }),
  ];
  return new Map([
    ...pages.map((page) => [page.path, renderPage(page)] as const),
    [
      "api.html",
      renderReference(source, { markup: siteHeader("api.html", "api.html"), style: SITE_HEADER_STYLE }),
    ],
    ...filesForPrograms(guides, source.suites),
    ...source.entries.flatMap((entry) => entryFiles(entry, source)),
  ]);
}

/** Writes the site into a folder, and deletes an earlier one. */
export function writeSite(folder: string, source: SiteSource): readonly string[] {
  const files = siteFiles(source);
  rmSync(folder, { recursive: true, force: true });
  for (const [path, text] of files) {
    makeFolder(dirname(join(folder, path)));
    writeFileAtomically(join(folder, path), text);
  }
  return [...files.keys()];
}
