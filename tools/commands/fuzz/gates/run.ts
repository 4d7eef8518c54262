import { type Random, randomFrom } from "../../../../sandbox/simulator/random.ts";
import { type AnyCheck, isActive } from "../../../../suites/server/check.ts";
import { checks } from "../../../../suites/server/checks/index.ts";
import { eventsOnMutant } from "../../../../suites/server/mutants/run-mutant.ts";
import { drawGate, type Gate } from "./gate.ts";
import { type Observation, observationsOf } from "./passages.ts";
import { type Place, placesInDocument } from "./places.ts";
import { isChosen, valueFor } from "./values.ts";

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
/** The most draws of a gate, until a client can trigger the drawn gate. */
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
