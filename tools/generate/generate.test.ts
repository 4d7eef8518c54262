import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { PIPELINE_DOCUMENTS } from "./action-references.ts";
import { GENERATED, generatedDocument, generatedFile } from "./generate.ts";

for (const [name, make] of Object.entries(GENERATED)) {
  test(`${name} matches its source (otherwise: npm run generate)`, async () => {
    expect(await readFile(generatedFile(name), "utf8")).toBe(await make());
  });
}

test.each(PIPELINE_DOCUMENTS)(
  "%s names the action as package.json does (otherwise: npm run generate)",
  async (path) => {
    const { is, due } = await generatedDocument(path);
    expect(is).toContain("uses: ");
    expect(is).toBe(due);
  },
);
