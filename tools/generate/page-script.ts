/** A page of the sandbox as one script: its components, and Preact, which the browser loads from nowhere else. */
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

/** Preact's license goes wherever Preact goes. */
const license = await readFile(new URL("../../node_modules/preact/LICENSE", import.meta.url), "utf8");

/** @param entry Below sandbox/pages. */
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
