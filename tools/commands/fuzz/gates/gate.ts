/** Gates: generated faults that only occur for certain values. The server is correct for all other values. */
import { DomainError } from "../../../../reference-server/errors.ts";
import { oneOf, type Random } from "../../../../sandbox/simulator/random.ts";
import type { FaultyServer } from "../../../../suites/server/mutants/mutant.ts";
import { changeFor } from "./changes.ts";
import { type Condition, conditionFor } from "./conditions.ts";
import { intercept, type Passage } from "./passages.ts";
import { changeAt, type Place } from "./places.ts";

export interface Gate extends FaultyServer {
  readonly place: Place;
  /** True if the condition holds and the effect changes something. */
  isMetBy(passage: Pick<Passage, "value" | "circumstances">): boolean;
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
  const otherwise = { words: `it is ${isSent ? "taken" : "shown"} ${change.words}`, of: change.of };
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
