import { rmSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Suite } from "../../../suites/core/grading/suite.ts";
import { catalogueData } from "../../certification/catalogue.ts";
import { makeFolder } from "../../folder.ts";
import { NAME } from "../../package.ts";
import { jsonFile } from "../../report/formats/json.ts";
import { renderHtml } from "../../report/html/page.ts";
import { contextOf } from "../../report/model.ts";
import { renderAttestation } from "../../report/statement/attestation.ts";
import type { Entry } from "../../results/entry.ts";
import { jsonText } from "../../terminal/json-text.ts";
import { writeFileAtomically } from "../../whole-file.ts";
import { type PageSource, renderReference } from "../docs/page.ts";
import { type ClauseListSource, clausesPage, openPointsPage } from "./clause-pages.ts";
import { guidePages, opening, type RenderedGuide, renderGuides } from "./guides.ts";
import { renderPage, SITE_HEADER_STYLE, siteHeader } from "./layout.ts";
import { reportPath, resultsPage } from "./results-page.ts";
import { searchPage } from "./search.ts";

const cataloguePath = ({ subject }: Suite): string => `catalogue/${subject}.json`;

const link = (title: string, path: string, note: string): string => `- [${title}](${path}): ${note}`;

/**
 * llms.txt (https://llmstxt.org): the site's contents for language models, with links to machine-readable
 * files.
 */
function llmsText(guides: readonly RenderedGuide[], suites: readonly Suite[]): string {
  return [
    `# ${NAME}`,
    "",
    "> Conformance tests for the Courier Dispatch Integration Service: for services, webhook receivers and API clients.",
    "",
    "## Guides",
    "",
    ...guides.map((guide) => link(guide.title, guide.path, opening(guide))),
    "",
    "## Reference",
    "",
    link("API", "api.html", "operations, bodies, error codes and the specification by heading"),
    link("Clauses", "clauses.html", "every clause of the specification with its checks"),
    link("Open points", "open-points.html", "questions that the specification leaves open"),
    "",
    "## Data",
    "",
    ...suites.map((suite) =>
      link(
        `Checks of a ${suite.subject}`,
        cataloguePath(suite),
        "checks, and clauses with section, level and checks, as `--list --json` prints them",
      ),
    ),
    "",
  ].join("\n");
}

/** The files of the site for programs, by path. */
const filesForPrograms = (
  guides: readonly RenderedGuide[],
  suites: readonly Suite[],
): readonly (readonly [string, string])[] => [
  ["llms.txt", llmsText(guides, suites)],
  ...suites.map((suite) => [cataloguePath(suite), `${jsonText(catalogueData(suite))}\n`] as const),
];

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
