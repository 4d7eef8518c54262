/**
 * Counts the phrases and names of `language.yaml` in the repository's text. Exits with 1 if a count differs
 * from the file's `left`.
 */
import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { read, repositoryFiles } from "../documents.ts";

interface Phrase {
  /** A case-insensitive regular expression. */
  readonly phrase: string;
  readonly instead: string;
  /** The number of lines that still contain the phrase. Defaults to 0. */
  readonly left?: number;
}

const TEXT = /\.(ts|tsx|md|yaml|yml|sh)$|^\.ci\//;
/** Generated files, third-party files, and the list itself. */
const IGNORED =
  /^(openapi\/generated|sandbox\/pages\/generated|tools\/testing\/public-surface)\/|survivors|language\.yaml$/;
const MAX_SHOWN = 20;

const lines = repositoryFiles()
  .filter((path) => TEXT.test(path) && !IGNORED.test(path))
  .flatMap((path) =>
    read(path)
      .split("\n")
      .map((text, index) => ({ place: `${path}:${index + 1}`, text })),
  );

const phrases: readonly Phrase[] = parse(readFileSync(new URL("language.yaml", import.meta.url), "utf8"));
for (const { phrase, instead, left = 0 } of phrases) {
  const found = lines.filter(({ text }) => new RegExp(phrase, "i").test(text));
  if (found.length === left) continue;
  process.exitCode = 1;
  if (found.length < left) {
    console.error(
      `tools/testing/lint/language.yaml: ${phrase} is in ${found.length} lines: set left to this number`,
    );
    continue;
  }
  console.error(`${phrase}: in ${found.length} lines, at most ${left} are allowed; write ${instead}`);
  for (const { place, text } of found.slice(0, MAX_SHOWN)) console.error(`  ${place}  ${text.trim()}`);
}
