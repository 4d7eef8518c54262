/**
 * The simulated course of a delivery. The plan depends only on the seed and the delivery, not on other deliveries.
 */
import type { Delivery } from "../../reference-server/domain/model.ts";
import { between, randomFrom } from "./random.ts";
import { type Script, scriptIn } from "./scripts.ts";

export interface Plan {
  /** True if a user moves the courier. */
  byHand: boolean;
  /** The number of offers that lapse before an offer is accepted; null if the delivery is never offered. */
  lapses: number | null;
  /** The result at the door. */
  ending: "delivered" | "failed" | "returning";
  reason: string | null;
  /** The duration of each step, in ms of simulated time. */
  offerMs: number;
  lapseMs: number;
  acceptMs: number;
  waitMs: number;
  loadMs: number;
  doorMs: number;
  handBackMs: number;
  /** The driving speed. */
  metresPerMs: number;
}

const second = 1000;
const minute = 60 * second;
const lapseChance = 0.2;

const endings: Record<Script, Pick<Plan, "ending" | "reason">> = {
  ordinary: { ending: "delivered", reason: null },
  "lapses-twice": { ending: "delivered", reason: null },
  "nobody-free": { ending: "delivered", reason: null },
  "by-hand": { ending: "delivered", reason: null },
  failed: { ending: "failed", reason: "Kapıda kimse yok" },
  returned: { ending: "returning", reason: "Müşteri teslim almadı" },
};

/** The plan of a delivery. Equal seeds, stores (by external id) and order numbers give equal plans. */
export function planOf(seed: string, store: string, { external_ref, notes }: Delivery): Plan {
  const random = randomFrom(seed, "plan", store, external_ref);
  const script = scriptIn(notes);
  const lapsesOnce = random() < lapseChance;
  return {
    byHand: script === "by-hand",
    ...endings[script],
    lapses: lapsesOf(script, lapsesOnce),
    offerMs: between(random, 20, 60) * second,
    lapseMs: 45 * second,
    acceptMs: between(random, 10, 40) * second,
    waitMs: between(random, 1, 4) * minute,
    loadMs: between(random, 20, 50) * second,
    doorMs: between(random, 1, 3) * minute,
    handBackMs: between(random, 1, 2) * minute,
    metresPerMs: between(random, 18, 28) / 3600,
  };
}

function lapsesOf(script: Script, lapsesOnce: boolean): number | null {
  if (script === "nobody-free" || script === "by-hand") return null;
  if (script === "lapses-twice") return 2;
  return script === "ordinary" && lapsesOnce ? 1 : 0;
}
