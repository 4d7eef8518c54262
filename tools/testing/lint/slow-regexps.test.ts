import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { slowRegexps } from "./slow-regexps.ts";

// In a template, so that the lint step doesn't read them.
const SOURCE = `
export const expressions = [
  /^(a+)+$/, /(?:a|a)*b/g, /^(?:[\\w-]+\\s?)+$/i,
  /^a+$/, /(?:ab)+c/, /"(?:[^"\\\\]|\\\\.)*"/, /(?:a{2}){3}/u,
];
`;

test("expressions that take exponential time are found, and no others", () => {
  const folder = mkdtempSync(join(tmpdir(), "regexps-"));
  const file = join(folder, "a.ts");
  writeFileSync(file, SOURCE);
  try {
    const found = slowRegexps([file]);
    expect(found.map((place) => place.split("  ")[1])).toEqual([
      "/^(a+)+$/",
      "/(?:a|a)*b/g",
      "/^(?:[\\w-]+\\s?)+$/i",
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
