import * as fc from "fast-check";
import { expect } from "vitest";
import { instant } from "../../../core/clock.ts";
import type { Schemas } from "../../../core/document.ts";
import { freshKey } from "../../session/api.ts";
import { opened, openedNowhere } from "../../support/deliveries.ts";
import { near } from "../../support/orders.ts";
import {
  expectChanged,
  expectUnchanged,
  happened,
  type KnownDelivery,
  know,
  type Life,
  type LifeSystem,
  STAGES,
  type Stage,
} from "./lifecycle.ts";

/** A step of a sequence. Further kinds of steps, such as a courier's moves, stand beside these. */
export type LifeCommand<System extends LifeSystem = LifeSystem> = fc.AsyncCommand<Life, System>;

type Suits = (known: KnownDelivery) => boolean;

/** A step that is always possible. */
export const step = <System extends LifeSystem = LifeSystem>(
  words: string,
  run: (life: Life, system: System) => Promise<void>,
): LifeCommand<System> => ({
  check: () => true,
  async run(life, system) {
    system.story.push(words);
    await run(life, system);
  },
});

/** A step with one of the deliveries that it can be made with, which tells itself what it does; `pick` says which. */
export const stepWithOne = <System extends LifeSystem = LifeSystem>(
  pick: number,
  suits: Suits,
  run: (known: KnownDelivery, system: System) => Promise<void>,
): LifeCommand<System> => ({
  check: ({ deliveries }) => deliveries.some(suits),
  async run({ deliveries }, system) {
    const suitable = deliveries.filter(suits);
    const known = suitable[pick % suitable.length];
    if (!known) throw new Error("a step was made that can't be made");
    await run(known, system);
  },
});

/** The same, told in words. */
const stepWith = (
  words: string,
  pick: number,
  suits: Suits,
  run: (known: KnownDelivery, system: LifeSystem) => Promise<void>,
): LifeCommand =>
  stepWithOne(pick, suits, async (known, system) => {
    system.story.push(`${words} ${known.name}`);
    await run(known, system);
  });

const isChangeable: Suits = ({ stage }) => STAGES[stage].change === "taken";
const isCancellable: Suits = ({ stage }) => STAGES[stage].cancellation === "taken";
const isReceived: Suits = ({ stage }) => stage === "received";

/** The codes with which a request is refused in a stage; undefined where it isn't, or where that isn't said. */
const refusals = ({ stage }: KnownDelivery, request: "change" | "cancellation") => {
  const ruling = STAGES[stage][request];
  return ruling === "taken" || ruling === "unsaid" ? undefined : ruling;
};

/** Few, so that what happens happens to the same ones: only then does anything depend on anything. */
export const picks = fc.nat({ max: 1 });

/** Opens deliveries at once: the more, the likelier some of them have one updated_at. */
export const open = fc
  .record({ count: fc.constantFrom(1, 1, 1, 3), located: fc.boolean() })
  .map(({ count, located }) =>
    step(`open ${count}${located ? "" : " without coordinates"}`, async (life, system) => {
      const answers = await Promise.all(
        Array.from({ length: count }, () => (located ? opened(system) : openedNowhere(system))),
      );
      for (const delivery of answers) {
        expect(delivery.status, "status at the opening").toBe(located ? "QUEUED" : "RECEIVED");
        know(life, delivery, located ? "queued" : "received");
      }
    }),
  );

type Left = KnownDelivery["left"];

interface FieldChange {
  readonly change: Schemas["DeliveryChange"];
  /** What the delivery shows after it. */
  left(before: Left): Partial<Left>;
  /** Where it leads, if not where the delivery is. */
  readonly stage?: Stage;
  /** Whether delivery.updated has to tell of it; undefined where it does. */
  readonly untold?: true;
}

const minutesFrom = (now: number, minutes: number) => Math.floor(now / 1000) * 1000 + minutes * 60_000;

/** Changes of one field each; `n` is another in each step, since what a change of nothing does is open (OPEN-153). */
const CHANGES = {
  notes: (n) => ({ change: { notes: `Not ${n}` }, left: () => ({ notes: `Not ${n}` }) }),
  // Whether a change of the customer alone is told of is open (OPEN-155).
  "customer.name": (n) => ({
    change: { customer: { name: `Ad ${n}` } },
    untold: true,
    left: ({ customer }) => ({ customer: { ...customer, name: `Ad ${n}` } }),
  }),
  "customer.phone_extension": (n) => ({
    change: { customer: { phone_extension: String(100 + n) } },
    untold: true,
    left: ({ customer }) => ({ customer: { ...customer, phone_extension: String(100 + n) } }),
  }),
  ready_at: (n, { now }) => {
    const ready_at = minutesFrom(now(), 20 + n);
    return { change: { ready_at: instant(ready_at) }, left: () => ({ ready_at }) };
  },
  dropoff: (n, { point }) => {
    const text = `Model Sokak ${n}, Fatih, İstanbul`;
    return {
      change: { dropoff: { text, ...near(point, 1 + (n % 3)) } },
      left: () => ({ address: text }),
      stage: "queued",
    };
  },
} satisfies Record<string, (n: number, system: LifeSystem) => FieldChange>;

type ChangeKind = keyof typeof CHANGES;

const changeOf = (kinds: readonly ChangeKind[], suits: Suits) =>
  fc.record({ pick: picks, kind: fc.constantFrom(...kinds) }).map(({ pick, kind }) =>
    stepWith(`change ${kind} of`, pick, suits, async (known, system) => {
      const made: FieldChange = CHANGES[kind](system.story.length, system);
      (await system.api.updateDelivery(known.id, made.change)).succeeded();
      known.stage = made.stage ?? known.stage;
      happened(known, "updated", !made.untold);
      await expectChanged(system, known, made.left(known.left));
    }),
  );

const WORDS: readonly ChangeKind[] = ["notes", "customer.name", "customer.phone_extension", "ready_at"];

const change = changeOf([...WORDS, "dropoff"], isChangeable);

/** What a new address does to an offer or an assignment is open (OPEN-85). */
export const changeOfWords = changeOf(WORDS, isChangeable);
export const locate = changeOf(["dropoff"], isReceived);

export const cancel = picks.map((pick) =>
  stepWith("cancel", pick, isCancellable, async (known, system) => {
    (await system.api.cancelDelivery(known.id, "Müşteri vazgeçti")).succeeded();
    known.stage = "cancelled";
    happened(known, "cancelled");
    await expectChanged(system, known, {}, ["cancelled_at", "cancel_reason"]);
  }),
);

export const look = picks.map((pick) =>
  stepWith(
    "read",
    pick,
    () => true,
    (known, system) => expectUnchanged(system, known),
  ),
);

/** Steps that the target refuses, and that leave the delivery as it was. */
export const lateChange = picks.map((pick) =>
  stepWith(
    "change notes too late of",
    pick,
    (known) => refusals(known, "change") !== undefined,
    async (known, system) => {
      const body = { notes: "Çok geç" };
      const answer = await system.api.violate("updateDelivery", "a change that comes too late", {
        path: { id: known.id },
        body,
      });
      answer.refused(409, ...(refusals(known, "change") ?? []));
      await expectUnchanged(system, known);
    },
  ),
);

export const lateCancellation = picks.map((pick) =>
  stepWith(
    "cancel too late",
    pick,
    (known) => refusals(known, "cancellation") !== undefined,
    async (known, system) => {
      const body = { reason: "Çok geç" };
      const answer = await system.api.violate("cancelDelivery", "a cancellation that comes too late", {
        path: { id: known.id },
        body,
      });
      answer.refused(409, ...(refusals(known, "cancellation") ?? []));
      await expectUnchanged(system, known);
    },
  ),
);

const badChange = picks.map((pick) =>
  stepWith("change to notes of 501 characters", pick, isChangeable, async (known, system) => {
    const body = { notes: "x".repeat(501) };
    const answer = await system.api.violate("updateDelivery", "notes of 501 characters", {
      path: { id: known.id },
      body,
    });
    answer.refused(400, "DOGRULAMA");
    await expectUnchanged(system, known);
  }),
);

const repeatedNumber = picks.map((pick) =>
  stepWith("open another with the number of", pick, isChangeable, async (known, system) => {
    const body = await system.order({ external_ref: known.left.external_ref });
    const answer = await system.api.violate(
      "createDelivery",
      "a number that is taken",
      { body },
      { key: freshKey() },
    );
    answer.refused(409, "EXTERNAL_REF_TEKRAR");
    await expectUnchanged(system, known);
  }),
);

/** What an integrator does with its deliveries, in about the proportions of real life. */
export const taken: readonly fc.Arbitrary<LifeCommand>[] = [open, change, change, change, cancel, cancel];

/** What it is refused. */
export const refused: readonly fc.Arbitrary<LifeCommand>[] = [
  lateChange,
  lateCancellation,
  lateCancellation,
  badChange,
  repeatedNumber,
];
