import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packageFolder } from "../../package.ts";
import { unparsedValues } from "./unparsed-values.ts";

const SOURCE = `
export const textOf = (value: unknown) => String(value);
export const texts = (
  u: unknown, a: any, o: object, e: {} | null, r: Record<string, unknown>, l: unknown[], n: number | null, d: Date, s: string[],
) => [
  String(u), \`\${a}\`, String(o), \`\${e}\`, Number(r.a), \`\${r}\`, l.join(), l.map(String),
  textOf(u), String(n), \`\${d}\`, s.join(), s.map(String), l.length,
];
`;

test("values of unknown type that become text or numbers are found, and no others", () => {
  const folder = mkdtempSync(join(tmpdir(), "unparsed-"));
  const file = join(folder, "a.ts");
  writeFileSync(file, SOURCE);
  try {
    const found = unparsedValues([file], join(packageFolder, "tsconfig.json"));
    expect(found.map((place) => place.split("  ")[1])).toEqual(["u", "a", "o", "e", "r.a", "r", "l", "l"]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
