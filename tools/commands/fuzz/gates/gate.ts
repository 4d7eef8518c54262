/** Gates: generated faults that only occur for certain values. The server is correct for all other values. */
import { randomUUID } from "node:crypto";
import type { JsonObject } from "../../../../reference-server/contract/json.ts";
import { DomainError } from "../../../../reference-server/errors.ts";
import { oneOf, type Random } from "../../../../sandbox/simulator/random.ts";
import type { FaultyServer } from "../../../../suites/server/mutants/mutant.ts";
import { type Condition, conditionFor, isInstant } from "./conditions.ts";
import { intercept, type Observation } from "./passages.ts";
import { changeAt, type Place } from "./places.ts";

interface Change {
  /** The change in words, to follow "it is stored" or "it is returned". */
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
function changeFor(random: Random, schema: JsonObject): Change {
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
    ofTexts("with an extra character at its end", (text) => `${text}x`),
  ]);
}

export interface Gate extends FaultyServer {
  readonly place: Place;
  /** True if the condition holds and the effect changes something. */
  isMetBy(passage: Pick<Observation, "value" | "circumstances">): boolean;
}

interface Effect {
  readonly words: string;
  /** Another value, undefined to remove it, or {@link REFUSED}. */
  of(value: unknown): unknown;
}

/**
 * The parts of requests and responses. Parts with more values are repeated, so that they are drawn more
 * often.
 */
const PARTS = [
  ...(["body", "body", "body", "body", "answer", "answer", "answer"] as const),
  ...(["event", "query", "path", "headers"] as const),
] as const;

const REFUSED = Symbol("refused");

function effectAt(random: Random, { part, schema, isRequired }: Place, condition: Condition): Effect {
  const isSent = part !== "answer" && part !== "event";
  const change = changeFor(random, schema);
  const otherwise = { words: `it is ${isSent ? "stored" : "returned"} ${change.words}`, of: change.of };
  const refused = { words: "the request is refused", of: () => REFUSED };
  // Ignoring a default changes nothing.
  const isDefault = (value: unknown) => value === schema.default || value === false;
  const missing = {
    words: isSent ? "it is ignored" : "it isn't shown",
    of: (value: unknown) => (isSent && isDefault(value) ? value : undefined),
  };
  if (!isSent) return oneOf(random, [otherwise, otherwise, missing]);
  // A different idempotency key works as well as the sent one.
  if (condition.isAboutToken || part === "headers") return refused;
  return oneOf(random, isRequired ? [otherwise, refused] : [otherwise, refused, missing]);
}

/** Draws a gate at one of the places. */
export function drawGate(random: Random, places: readonly Place[]): Gate {
  const part = oneOf(random, PARTS);
  const [first, ...others] = places.filter((one) => one.part === part);
  if (first === undefined) throw new Error(`the document has nothing in ${part}`);
  const place = oneOf(random, [first, ...others]);
  const condition = conditionFor(random, place);
  const effect = effectAt(random, place, condition);
  const isMetBy: Gate["isMetBy"] = ({ value, circumstances }) =>
    (value ?? null) !== null &&
    condition.holds(value, circumstances) &&
    JSON.stringify(effect.of(value)) !== JSON.stringify(value);
  return {
    place,
    fault: `${place.operation} ${place.part} ${place.path.join(".")}: if ${condition.words}, ${effect.words}`,
    isMetBy,
    mutate: intercept(place, (whole, circumstances) =>
      changeAt(whole, place.path, (value) => {
        if (!isMetBy({ value, circumstances })) return value;
        const other = effect.of(value);
        if (other === REFUSED) throw new DomainError(condition.isAboutToken ? "GECERSIZ" : "DOGRULAMA");
        return other;
      }),
    ),
  };
}
