import { randomUUID } from "node:crypto";
import type { JsonObject } from "../../../../reference-server/contract/json.ts";
import { oneOf, type Random } from "../../../../sandbox/simulator/random.ts";
import { isInstant } from "./conditions.ts";

interface Change {
  /** Follows "it is taken" or "it is shown". */
  readonly words: string;
  /** Changes a value. Returns it unchanged if there is nothing to change. */
  of(value: unknown): unknown;
}

const ofTexts = (words: string, other: (text: string) => string): Change => ({
  words,
  of: (value) => (typeof value === "string" ? other(value) : value),
});
const ofNumbers = (words: string, other: (value: number) => number): Change => ({
  words,
  of: (value) => (typeof value === "number" ? other(value) : value),
});
const ofLists = (words: string, other: (list: readonly unknown[]) => readonly unknown[]): Change => ({
  words,
  of: (value) => (Array.isArray(value) ? other(value) : value),
});
const later = (words: string, ms: number) =>
  ofTexts(words, (text) => {
    const at = Date.parse(text);
    return Number.isNaN(at) ? text : new Date(at + ms).toISOString();
  });

/** Draws a change that fits the type of a value. */
export function changeFor(random: Random, schema: JsonObject): Change {
  const type = [schema.type].flat()[0];
  if (type === "boolean") return { words: "as its opposite", of: (value) => value !== true };
  if (schema.format === "uuid") return ofTexts("as another id", () => randomUUID());
  if (isInstant(schema))
    return oneOf(random, [later("a day later", 86_400_000), later("two seconds later", 2_000)]);
  if (type === "array")
    return oneOf(random, [
      ofLists("without its last entry", (list) => list.slice(0, -1)),
      ofLists("in reverse order", (list) => list.toReversed()),
      ofLists("with its first entry twice", (list) => [...list.slice(0, 1), ...list]),
    ]);
  if (type === "number" || type === "integer")
    return oneOf(random, [
      ofNumbers("less one", (value) => value - 1),
      ofNumbers("plus one", (value) => value + 1),
      ofNumbers("rounded to tens", (value) => Math.round(value / 10) * 10),
      ofNumbers("without its fraction", Math.trunc),
    ]);
  return oneOf(random, [
    ofTexts("without its last character", (text) => text.slice(0, -1)),
    ofTexts("in small letters", (text) => text.toLowerCase()),
    ofTexts("in capitals", (text) => text.toUpperCase()),
    ofTexts("without what isn't ASCII", (text) => text.replaceAll(/[^ -~]/g, "")),
    ofTexts("without punctuation", (text) => text.replaceAll(/[^\p{L}\p{N}\s]/gu, "")),
    ofTexts("cut after 20 characters", (text) => text.slice(0, 20)),
    ofTexts("with a character behind it", (text) => `${text}x`),
  ]);
}
