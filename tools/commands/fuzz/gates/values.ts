import type { JsonObject } from "../../../../reference-server/contract/json.ts";
import { oneOf, type Random } from "../../../../sandbox/simulator/random.ts";
import { BOX, isInstant } from "./conditions.ts";
import type { Place } from "./places.ts";

/** The members whose values the server issues or takes from a fixed list. */
const SERVER_CHOSEN = [
  "since",
  "status",
  "client_id",
  "client_secret",
  "pairing_code",
  "grant_type",
  "type",
  "*",
];

/** True if a client chooses the value at this place. */
export const isChosen = ({ part, path }: Place): boolean =>
  part !== "answer" && part !== "event" && part !== "path" && !SERVER_CHOSEN.includes(path.at(-1) ?? "");

const HOUR_MS = 3_600_000;
const LETTERS = "abcçdefgğhıijklmnoöprsştuüvyzABCÇDEFGĞHIİJKLMNOÖPRSŞTUÜVYZ0123456789";
const PLAIN = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-";
const MARKS = [
  "-",
  ".",
  ",",
  "/",
  "'",
  '"',
  "&",
  "<",
  ">",
  "(",
  ")",
  "!",
  "?",
  "\n",
  "🍲",
  "👩‍🍳",
  " ",
  " ",
  " ",
];

const below = (random: Random, count: number): number => Math.floor(random() * count);
const repeat = (length: number, make: () => string): string => Array.from({ length }, make).join("");
const letterOf = (random: Random, letters: string) => () => letters[below(random, letters.length)] ?? "";

/** Random text without blanks at its ends. A character has up to four bytes (OPEN-30). */
function text(random: Random, most: number): string {
  const letter = letterOf(random, LETTERS);
  const length = 5 + below(random, Math.max(1, Math.min(most, 200) / 4 - 6));
  const isMarked = random() < 0.5;
  const inner = repeat(length, () => {
    const [first = "", ...marks] = MARKS;
    return isMarked && random() < 0.2 ? oneOf(random, [first, ...marks]) : letter();
  });
  return `${letter()}${inner}${letter()}`;
}

/** Returns values for members, by name, whose format isn't completely in the document. */
const BY_NAME: Readonly<Record<string, (random: Random) => unknown>> = {
  phone: (random) =>
    `${oneOf(random, ["0532", "+90532", "+90212"])}${repeat(7, letterOf(random, "0123456789"))}`,
  phone_extension: (random) => repeat(1 + below(random, 20), letterOf(random, "0123456789")),
  external_ref: (random) => repeat(8 + below(random, 32), letterOf(random, PLAIN)),
  external_store_id: (random) => repeat(8 + below(random, 72), letterOf(random, PLAIN)),
  "Idempotency-Key": (random) => repeat(8 + below(random, 120), letterOf(random, PLAIN)),
  origin_channel: (random) => oneOf(random, ["POS", "TELEFON", "Yemeksepeti", "getir", "web"]),
  url: (random) => `https://hooks.example/${repeat(1 + below(random, 40), letterOf(random, PLAIN))}`,
  code: (random) => repeat(2 + below(random, 18), letterOf(random, PLAIN)),
};

function numberFor(random: Random, name: string, { minimum, maximum, type }: JsonObject): number {
  const box = BOX[name];
  if (box !== undefined) return Math.round((box[0] + random() * (box[1] - box[0])) * 1e5) / 1e5;
  if (type === "integer") {
    const [least, most] = [Number(minimum ?? 1), Number(maximum ?? 200)];
    return least + below(random, most - least + 1);
  }
  const digits = name === "quantity" ? 1_000 : 100;
  const largest = name === "quantity" ? 20 : 5_000;
  return random() < 0.3 ? 1 + below(random, largest) : Math.ceil(random() * largest * digits) / digits;
}

function instant(random: Random): string {
  const at = Date.now() + random() * 160 * HOUR_MS;
  if (random() < 0.7) return new Date(at).toISOString();
  return `${new Date(at + 3 * HOUR_MS).toISOString().slice(0, 19)}+03:00`;
}

/** A random value that a client may send at this place. */
export function valueFor(random: Random, { path, schema }: Place): unknown {
  const name = path.at(-1) ?? "";
  const named = BY_NAME[name];
  if (named !== undefined) return named(random);
  const type = [schema.type].flat()[0];
  if (type === "boolean") return random() < 0.5;
  if (type === "number" || type === "integer") return numberFor(random, name, schema);
  if (type === "array")
    return Array.from({ length: 1 + below(random, Number(schema.maxItems ?? 14)) }, String);
  return isInstant(schema) ? instant(random) : text(random, Number(schema.maxLength ?? 200));
}
