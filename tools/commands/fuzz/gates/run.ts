import type { JsonObject } from "../../../../reference-server/contract/json.ts";
import { oneOf, type Random, randomFrom } from "../../../../sandbox/simulator/random.ts";
import { type AnyCheck, isActive } from "../../../../suites/server/check.ts";
import { checks } from "../../../../suites/server/checks/index.ts";
import { eventsOnMutant } from "../../../../suites/server/mutants/run-mutant.ts";
import { BOX, isInstant } from "./conditions.ts";
import { drawGate, type Gate } from "./gate.ts";
import { type Observation, observationsOf } from "./passages.ts";
import { type Place, placesInDocument } from "./places.ts";

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
const isChosen = ({ part, path }: Place): boolean =>
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
function valueFor(random: Random, { path, schema }: Place): unknown {
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

/** The result of a gate (a conditional fault): detected by a check, triggered but not detected, or not triggered. */
type GateResult = { readonly gate: Gate } & (
  | { readonly status: "caught"; readonly by: string; readonly message: string }
  | { readonly status: "missed" | "unmet" }
);

interface GateOptions {
  readonly seed: number;
  readonly gates: number;
  /**
   * Selects the checks to run. By default, all except those of limits, whose thousands of requests add no
   * values.
   */
  readonly isTried?: (check: AnyCheck) => boolean;
  readonly onStatus?: (line: string) => void;
  readonly onResult?: (result: GateResult) => void;
}

const PASSIVE = checks.filter((check) => !isActive(check));
/** The number of checks to run first. One of the first checks that trigger a gate usually detects it. */
const FIRST_STAGE = 6;
/** The maximum number of draws until a client can trigger the drawn gate. */
const MAX_DRAWS = 100;
/** The number of random values that are tried to find out whether a client can trigger a gate. */
const SAMPLES = 200;

/**
 * Draws gates by the seed. For each gate, runs the checks that trigger the gate on a server with its fault, until a check
 * fails.
 */
export async function tryGates({
  seed,
  gates: wanted,
  isTried = ({ id }) => !id.startsWith("limits."),
  onStatus = () => {},
  onResult = () => {},
}: GateOptions): Promise<readonly GateResult[]> {
  const places = placesInDocument();
  const activeChecks = checks.filter((check) => isActive(check) && isTried(check));
  const passages = await observationsOf(places, activeChecks, onStatus);
  const results: GateResult[] = [];
  for (let number = 0; number < wanted; number += 1) {
    const { gate, meeting } = drawFitting(seed + number, passages);
    const result = await tryGate(gate, meeting);
    results.push(result);
    onResult(result);
  }
  return results;
}

/**
 * Draws until the gate can be triggered by a value that a client may choose, or by one that a server
 * returned.
 */
function drawFitting(seed: number, passages: ReadonlyMap<Place, readonly Observation[]>) {
  const random = randomFrom("gate", seed);
  const places = [...passages].filter(([place, seen]) => isChosen(place) || seen.length > 0);
  for (let draws = 1; ; draws += 1) {
    const gate = drawGate(
      random,
      places.map(([place]) => place),
    );
    const met = passages.get(gate.place)?.filter((passage) => gate.isMetBy(passage)) ?? [];
    const meeting = [...new Set(met.map(({ check }) => check))];
    if (meeting.length > 0 || draws >= MAX_DRAWS || canBeMet(gate, random)) return { gate, meeting };
  }
}

function canBeMet(gate: Gate, random: Random): boolean {
  if (!isChosen(gate.place)) return false;
  return Array.from({ length: SAMPLES }, () => ({
    value: valueFor(random, gate.place),
    circumstances: {
      count: 1 + Math.floor(random() * 40),
      tokenAgeS: random() * 1_700,
      hour: Math.floor(random() * 24),
    },
  })).some(gate.isMetBy);
}

async function tryGate(gate: Gate, meeting: readonly AnyCheck[]): Promise<GateResult> {
  if (meeting.length === 0) return { gate, status: "unmet" };
  for (const stage of [meeting.slice(0, FIRST_STAGE), [...meeting, ...PASSIVE]]) {
    for await (const event of eventsOnMutant(gate, stage)) {
      if (event.type !== "result" || event.outcome.status !== "failed") continue;
      const { check, outcome } = event;
      return { gate, status: "caught", by: check.id, message: outcome.message ?? "" };
    }
  }
  return { gate, status: "missed" };
}
