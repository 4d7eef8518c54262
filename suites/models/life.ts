import { expect } from "vitest";
import type { BaseContext } from "../check.ts";
import { integratorsPart, read } from "../deliveries.ts";
import type { Schemas } from "../target/api.ts";

type Delivery = Schemas["Delivery"];

/** Where a delivery stands in its life, as far as its integrator can tell. */
export type Stage = "received" | "queued" | "cancelled";

interface StageRules {
  /** Whether changes and a cancellation are taken; else the codes with which the two may be refused, none for any. */
  readonly open: boolean;
  readonly changeRefused: readonly string[];
  readonly cancellationRefused: readonly string[];
  /** What a delivery shows in this stage, beside what its integrator wrote. */
  expectShown(delivery: Delivery): void;
}

const expectOpen = (delivery: Delivery) => expect(delivery.cancelled_at ?? null, "cancelled_at").toBeNull();

/** What holds in each stage of a delivery's life. */
export const STAGES: Readonly<Record<Stage, StageRules>> = {
  received: {
    open: true,
    changeRefused: [],
    cancellationRefused: [],
    // What looks up addresses may queue it by itself (OPEN-83).
    expectShown: expectOpen,
  },
  queued: {
    open: true,
    changeRefused: [],
    cancellationRefused: [],
    expectShown(delivery) {
      expectOpen(delivery);
      // A dispatcher may offer it meanwhile, and which state that is is open (OPEN-82).
      expect(delivery.status, "status").not.toBe("RECEIVED");
    },
  },
  cancelled: {
    open: false,
    // Which code refuses a change is a SHOULD (STATE-32): any.
    changeRefused: [],
    cancellationRefused: ["SON_DURUM"],
    expectShown(delivery) {
      expect(delivery.cancelled_at ?? null, "cancelled_at").not.toBeNull();
      expect(["RECEIVED", "QUEUED", "ASSIGNED"], "the open states").not.toContain(delivery.status);
    },
  },
};

/** What the model knows of one delivery. */
export interface KnownDelivery {
  /** A, B, C …: how stories call it. */
  readonly name: string;
  readonly id: string;
  stage: Stage;
  /** The highest version seen. */
  version: number;
  /** What its integrator has made of it. */
  left: ReturnType<typeof integratorsPart>;
}

/** The model: all deliveries that a sequence has opened. */
export interface Life {
  readonly deliveries: KnownDelivery[];
}

/** The target, as the steps of a sequence use it, and what has happened so far in words. */
export interface LifeSystem extends Pick<BaseContext, "api" | "order" | "point" | "now"> {
  readonly story: string[];
}

export function know(life: Life, delivery: Delivery, stage: Stage): KnownDelivery {
  const known: KnownDelivery = {
    name: String.fromCharCode("A".charCodeAt(0) + life.deliveries.length),
    id: delivery.id,
    stage,
    version: delivery.version,
    left: integratorsPart(delivery),
  };
  life.deliveries.push(known);
  return known;
}

/** Asserts that a delivery, read by id or met in a list, is what the model says. */
export function expectAsKnown(known: KnownDelivery, shown: Delivery): void {
  expect(integratorsPart(shown), `${known.name}, as its integrator left it`).toEqual(known.left);
  expect(shown.version, `version of ${known.name}`).toBeGreaterThanOrEqual(known.version);
  STAGES[known.stage].expectShown(shown);
}

/** Reads a delivery and asserts that it is what the model says. */
export async function expectUnchanged({ api }: LifeSystem, known: KnownDelivery): Promise<void> {
  const shown = await read(api, known.id);
  expectAsKnown(known, shown);
  known.version = shown.version;
}

/**
 * Reads a delivery after a change that was taken, and asserts that it shows just that, in a higher version.
 * @param decided what the target decides, such as a time, out of what it shows
 */
export async function expectChanged(
  { api }: LifeSystem,
  known: KnownDelivery,
  change: Partial<KnownDelivery["left"]>,
  decided: readonly (keyof KnownDelivery["left"])[] = [],
): Promise<void> {
  const shown = await read(api, known.id);
  expect(shown.version, `version of ${known.name} after the change`).toBeGreaterThan(known.version);
  const part = integratorsPart(shown);
  const taken = Object.fromEntries(decided.map((key) => [key, part[key]]));
  known.left = { ...known.left, ...change, ...taken };
  known.version = shown.version;
  expectAsKnown(known, shown);
}
