import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { GENERATED, generatedFile } from "./generate.ts";

for (const [name, make] of Object.entries(GENERATED)) {
  test(`openapi/generated/${name} has not drifted from its source (else: npm run generate)`, async () => {
    expect(await readFile(generatedFile(name), "utf8")).toBe(await make());
  });
}
