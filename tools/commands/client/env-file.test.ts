import { existsSync, mkdtempSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { removeEnvFile, writeEnvFile } from "./env-file.ts";

const FIRST = { BASE_URL: "http://127.0.0.1:1", CLIENT_ID: "a" };
const SECOND = { BASE_URL: "http://127.0.0.1:1", CLIENT_ID: "b" };
const newPath = () => join(mkdtempSync(join(tmpdir(), "env-file-")), "sandbox.env");

test("each start's variables replace the previous ones, only the owner can read them, and the end deletes them", () => {
  const file = newPath();
  writeEnvFile(file, FIRST);
  writeEnvFile(file, SECOND);
  expect(readFileSync(file, "utf8")).toBe("BASE_URL=http://127.0.0.1:1\nCLIENT_ID=b\n");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  removeEnvFile(file, SECOND);
  expect(existsSync(file)).toBe(false);
});

test.each([
  ["with other contents", "DATABASE_URL=postgres://localhost/shop\n"],
  ["that is empty", ""],
  ["with the command's variables and another one", "BASE_URL=http://127.0.0.1:1\nCLIENT_ID=a\nKEEP=me\n"],
])("a file %s is neither overwritten nor deleted", (_, text) => {
  const file = newPath();
  writeFileSync(file, text);
  expect(() => writeEnvFile(file, FIRST)).toThrow(
    /exists and wasn't written by this command: give another name/,
  );
  removeEnvFile(file, FIRST);
  expect(readFileSync(file, "utf8")).toBe(text);
});

test("a link isn't followed", () => {
  const [own, link] = [newPath(), newPath()];
  writeFileSync(own, "BASE_URL=http://127.0.0.1:1\nCLIENT_ID=a\n");
  symlinkSync(own, link);
  expect(() => writeEnvFile(link, FIRST)).toThrow(/wasn't written by this command/);
  removeEnvFile(link, FIRST);
  expect(existsSync(link)).toBe(true);
});
