import packageJson from "../../package.json" with { type: "json" };

/** Documents with example pipelines; paths are relative to the repository. */
export const PIPELINE_DOCUMENTS = ["README.md", "docs/ci.md"] as const;

/** The repository's owner and name. The owner is `OWNER` until it is published. */
export const repositoryName: string = new URL(packageJson.repository.url).pathname
  .slice(1)
  .replace(/\.git$/, "");

/** The document, whose examples of the action get the repository and version of package.json. */
export const withActionReference = (markdown: string): string =>
  markdown.replaceAll(/(?<=uses: )\S+\/courier-conform@v\S+/g, `${repositoryName}@v${packageJson.version}`);
