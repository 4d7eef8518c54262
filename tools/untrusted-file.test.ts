import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readUntrusted } from "./untrusted-file.ts";

const folder = mkdtempSync(join(tmpdir(), "untrusted-"));
const regular = join(folder, "regular");
writeFileSync(regular, "text");
const linked = join(folder, "linked");
symlinkSync(regular, linked);
const inner = join(folder, "inner");
mkdirSync(inner);

test("a regular file is read", () => {
  expect(readUntrusted(regular, "give another").toString()).toBe("text");
});

test.each([
  ["a link to a regular file", linked],
  ["a folder", inner],
  ["a device", "/dev/zero"],
])("%s is refused", (_, file) => {
  expect(() => readUntrusted(file, "give another")).toThrow(`${file} isn't a regular file: give another`);
});
