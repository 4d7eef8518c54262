/** Bundles a page of the sandbox and Preact into one script, so that the browser loads nothing else. */
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

/** Preact's licence requires a copy. */
const license = await readFile(new URL("../../node_modules/preact/LICENSE", import.meta.url), "utf8");

/** @param entry the path below sandbox/pages */
export async function pageScript(entry: string): Promise<string> {
  const bundle = await rolldown({
    cwd: fileURLToPath(new URL("../..", import.meta.url)),
    input: `sandbox/pages/${entry}`,
    platform: "browser",
    tsconfig: false,
    transform: { jsx: { runtime: "automatic", importSource: "preact" } },
  });
  const {
    output: [chunk],
  } = await bundle.generate({ format: "esm", minify: true });
  await bundle.close();
  return `/*!\nIncludes Preact:\n\n${license.trim()}\n*/\n${chunk.code}`;
}
