import * as fc from "fast-check";
import { expect } from "vitest";
import { opened, openedNowhere } from "../deliveries.ts";
import { near } from "../orders.ts";
import { freshKey, type Schemas } from "../target/api.ts";
import { instant } from "../target/clock.ts";
import {
  expectChanged,
  expectUnchanged,
  type KnownDelivery,
  know,
  type Life,
  type LifeSystem,
  STAGES,
  type Stage,
} from "./life.ts";

/** A step of a sequence. Further kinds of steps, such as a courier's moves, stand beside these. */
export type LifeCommand<System extends LifeSystem = LifeSystem> = fc.AsyncCommand<Life, System>;

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
  toString: () => words,
});

/** A step with one of the deliveries that it can be made with; `pick` says which. */
export const stepWith = (
  words: string,
  pick: number,
  suits: (known: KnownDelivery) => boolean,
  run: (known: KnownDelivery, system: LifeSystem) => Promise<void>,
): LifeCommand => ({
  check: ({ deliveries }) => deliveries.some(suits),
  async run({ deliveries }, system) {
    const suitable = deliveries.filter(suits);
    const known = suitable[pick % suitable.length];
    if (!known) throw new Error("a step was made that can't be made");
    system.story.push(`${words} ${known.name}`);
    await run(known, system);
  },
  toString: () => words,
});

const isOpen = ({ stage }: KnownDelivery) => STAGES[stage].open;
const isOver = (known: KnownDelivery) => !isOpen(known);

/** Few, so that what happens happens to the same ones: only then does anything depend on anything. */
const picks = fc.nat({ max: 1 });

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
}

const minutesFrom = (now: number, minutes: number) => Math.floor(now / 1000) * 1000 + minutes * 60_000;

/** Changes of one field each; `n` is another in each step, since what a change of nothing does is open (OPEN-153). */
const CHANGES = {
  notes: (n) => ({ change: { notes: `Not ${n}` }, left: () => ({ notes: `Not ${n}` }) }),
  "customer.name": (n) => ({
    change: { customer: { name: `Ad ${n}` } },
    left: ({ customer }) => ({ customer: { ...customer, name: `Ad ${n}` } }),
  }),
  "customer.phone_extension": (n) => ({
    change: { customer: { phone_extension: String(100 + n) } },
    left: ({ customer }) => ({ customer: { ...customer, phone_extension: String(100 + n) } }),
  }),
  ready_at: (n, { now }) => {
    const ready_at = minutesFrom(now(), 20 + n);
    return { change: { ready_at: instant(ready_at) }, left: () => ({ ready_at }) };
  },
  dropoff: (n, { point }) => {
    const text = `Model Sokak ${n}, Fatih, İstanbul`;
    return {
      change: { dropoff: { text, ...near(point, 1 + (n % 5)) } },
      left: () => ({ address: text }),
      stage: "queued",
    };
  },
} satisfies Record<string, (n: number, system: LifeSystem) => FieldChange>;

const kinds: readonly (keyof typeof CHANGES)[] = [
  "notes",
  "customer.name",
  "customer.phone_extension",
  "ready_at",
  "dropoff",
];

export const change = fc.record({ pick: picks, kind: fc.constantFrom(...kinds) }).map(({ pick, kind }) =>
  stepWith(`change ${kind} of`, pick, isOpen, async (known, system) => {
    const made: FieldChange = CHANGES[kind](system.story.length, system);
    (await system.api.updateDelivery(known.id, made.change)).succeeded();
    known.stage = made.stage ?? known.stage;
    await expectChanged(system, known, made.left(known.left));
  }),
);

export const cancel = picks.map((pick) =>
  stepWith("cancel", pick, isOpen, async (known, system) => {
    (await system.api.cancelDelivery(known.id, "Müşteri vazgeçti")).succeeded();
    known.stage = "cancelled";
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
const lateChange = picks.map((pick) =>
  stepWith("change notes too late of", pick, isOver, async (known, system) => {
    const body = { notes: "Çok geç" };
    const answer = await system.api.violate("updateDelivery", "a change of a final delivery", {
      path: { id: known.id },
      body,
    });
    answer.refused(409, ...STAGES[known.stage].changeRefused);
    await expectUnchanged(system, known);
  }),
);

const lateCancellation = picks.map((pick) =>
  stepWith("cancel too late", pick, isOver, async (known, system) => {
    const body = { reason: "Çok geç" };
    const answer = await system.api.violate("cancelDelivery", "a final delivery", {
      path: { id: known.id },
      body,
    });
    answer.refused(409, ...STAGES[known.stage].cancellationRefused);
    await expectUnchanged(system, known);
  }),
);

const badChange = picks.map((pick) =>
  stepWith("change to notes of 501 characters", pick, isOpen, async (known, system) => {
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
  stepWith("open another with the number of", pick, isOpen, async (known, system) => {
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
