import packageJson from "../../package.json" with { type: "json" };

/** Documents with examples of pipelines, from the repository's folder. */
export const PIPELINE_DOCUMENTS = ["README.md", "docs/ci.md"] as const;

/** Who the repository belongs to, and its name: `OWNER/courier-conform` until it is published. */
export const repositoryName: string = new URL(packageJson.repository.url).pathname
  .slice(1)
  .replace(/\.git$/, "");

/** The document with its examples of the action naming our repository and version, which stand in package.json. */
export const withActionReference = (markdown: string): string =>
  markdown.replaceAll(/(?<=uses: )\S+\/courier-conform@v\S+/g, `${repositoryName}@v${packageJson.version}`);
