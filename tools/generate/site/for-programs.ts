import type { Suite } from "../../../suites/core/grading/suite.ts";
import { catalogueData } from "../../certification/catalogue.ts";
import { NAME } from "../../package.ts";
import { jsonText } from "../../terminal/json-text.ts";
import { opening, type RenderedGuide } from "./guides.ts";

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
export const filesForPrograms = (
  guides: readonly RenderedGuide[],
  suites: readonly Suite[],
): readonly (readonly [string, string])[] => [
  ["llms.txt", llmsText(guides, suites)],
  ...suites.map((suite) => [cataloguePath(suite), `${jsonText(catalogueData(suite))}\n`] as const),
];
