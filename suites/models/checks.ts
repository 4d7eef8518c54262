import * as fc from "fast-check";
import { expect } from "vitest";
import { type BaseContext, type Check, check } from "../check.ts";
import { opened, openedNowhere, read } from "../deliveries.ts";
import { LIST_LAG_MS, since, untilShown } from "../listing.ts";
import { type LifeCommand, look, refused, step, taken } from "./commands.ts";
import { expectAsKnown, expectUnchanged, know, type Life, type LifeSystem } from "./life.ts";
import { ListReader } from "./reader.ts";

/** Steps of one sequence at the most. */
const MOST_STEPS = 24;

interface Sequences<System extends LifeSystem, Setting> {
  /** The kinds of steps; one that stands here twice comes twice as often. */
  readonly steps: readonly fc.Arbitrary<LifeCommand<System>>[];
  /** What else is varied from one sequence to the next. */
  readonly setting: fc.Arbitrary<Setting>;
  start(life: Life, system: LifeSystem, setting: Setting): Promise<System>;
  /** What holds in the end. */
  finish(life: Life, system: System): Promise<void>;
  readonly runs: number;
}

/** Runs sequences of steps against the model, each on deliveries of its own. */
async function runSequences<System extends LifeSystem, Setting>(
  { api, order, point, now, property }: BaseContext,
  { steps, setting, start, finish, runs }: Sequences<System, Setting>,
): Promise<void> {
  let story: readonly string[] = [];
  await property(
    fc.record({
      setting,
      commands: fc.commands([...steps], { maxCommands: MOST_STEPS, size: "max", disableReplayLog: true }),
    }),
    async (input) => {
      const plain: LifeSystem = { api, order, point, now, story: [] };
      // Sequences get simpler as they fail: the last story is the one to tell.
      story = plain.story;
      const life: Life = { deliveries: [] };
      const system = await start(life, plain, input.setting);
      await fc.asyncModelRun(() => ({ model: life, real: system }), input.commands);
      await finish(life, system);
    },
    { runs, describe: () => story.join(" → ") },
  );
}

const withoutCourier = check({
  id: "models.life-without-a-courier",
  title: "in whatever order deliveries are opened, changed and cancelled, each shows just what was taken",
  clauses: [
    "STATE-7",
    "STATE-27",
    "STATE-31",
    "STATE-36",
    "PATCH-1",
    "PATCH-18",
    "PATCH-19",
    "CANCEL-5",
    "DLV-8",
    "ERR-18",
  ],
  mutants: [
    "version-stops-at-three",
    "changed-delivery-is-cancelled-twice",
    "refused-change-touches-another-delivery",
  ],
  async run(context) {
    await runSequences(context, {
      steps: [...taken, ...refused, look],
      setting: fc.constant(undefined),
      async start(life, system) {
        know(life, await opened(system), "queued");
        know(life, await openedNowhere(system), "received");
        system.story.push("open A, and B without coordinates");
        return system;
      },
      async finish({ deliveries }, system) {
        await Promise.all(deliveries.map((known) => expectUnchanged(system, known)));
      },
      runs: 7,
    });
  },
});

interface ReadingSystem extends LifeSystem {
  readonly reader: ListReader;
}

const readPage = fc.constant(
  step<ReadingSystem>("read a page", async (_, { reader }) => {
    await reader.readPage();
  }),
);

const paged = check({
  id: "models.paging",
  title:
    "paging with any limit, while deliveries change, meets the latest state of each, oldest change first",
  clauses: ["LIST-4", "LIST-6", "LIST-7", "LIST-9"],
  alone: "identity",
  mutants: [
    "cursor-skips-ties",
    "page-is-newest-first",
    "cancellation-keeps-its-place",
    "list-in-order-of-creation",
  ],
  async run(context) {
    const { api, store } = context;
    const { external_store_id } = await store();
    let patience = LIST_LAG_MS;
    await runSequences<ReadingSystem, number>(context, {
      steps: [...taken, readPage, readPage],
      setting: fc.integer({ min: 1, max: 7 }),
      async start(life, system, limit) {
        const first = await opened(system);
        know(life, first, "queued");
        know(life, await openedNowhere(system), "received");
        system.story.push(`open A, and B without coordinates, to be read in pages of ${limit}`);
        // It starts at the end of the list, past all that others and earlier sequences have left there.
        const reader = new ListReader(api, { ...since(first, external_store_id), limit });
        await reader.readToEnd();
        return { ...system, reader };
      },
      async finish({ deliveries }, { reader, story }) {
        const now = await Promise.all(deliveries.map(({ id }) => read(api, id)));
        const [first] = now;
        if (!first) throw new Error("nothing was opened");
        // A list that once hasn't shown everything in time isn't waited for again.
        if (!(await untilShown(api, since(first, external_store_id), now, patience))) patience = 0;
        story.push("read on to the end");
        await reader.readToEnd();
        for (const known of deliveries) {
          const met = reader.latest.get(known.id);
          expect(met, `${known.name}, met on any page`).toBeDefined();
          if (met) expectAsKnown(known, met);
        }
      },
      runs: 5,
    });
  },
});

/** Sequences of steps against a model of the delivery's life. */
export const models: readonly Check[] = [withoutCourier, paged];
