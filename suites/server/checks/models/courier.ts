import * as fc from "fast-check";
import { expect } from "vitest";
import { COURIERS_WAY } from "../../../core/control.ts";
import type { Schemas } from "../../../core/document.ts";
import { NotTestable } from "../../../core/failure.ts";
import type { ContextFor } from "../../check.ts";
import { read } from "../../support/deliveries.ts";
import { type LifeCommand, picks, stepWithOne } from "./commands.ts";
import {
  expectAsKnown,
  expectUnchanged,
  type KnownDelivery,
  type LifeSystem,
  STAGES,
  type Stage,
} from "./lifecycle.ts";

type Delivery = Schemas["Delivery"];

export interface RidingSystem extends LifeSystem, Pick<ContextFor<"courier">, "move"> {}

type Move = (typeof COURIERS_WAY)[number] | "offer_lapsed" | "failed" | "returning" | "returned";
type Riding = LifeCommand<RidingSystem>;

const ROAD: readonly Stage[] = ["queued", ...COURIERS_WAY];

/** The next move on the way to the door; undefined where there is none. */
const nextOf = ({ stage }: KnownDelivery): Move | undefined =>
  ROAD.includes(stage) ? COURIERS_WAY[ROAD.indexOf(stage)] : undefined;

/** The moves by which a delivery leaves the way to the door. */
const TURNS: Partial<Record<Stage, readonly [Move, ...Move[]]>> = {
  offered: ["offer_lapsed"],
  picked_up: ["returning", "failed"],
  en_route: ["returning", "failed"],
  arrived: ["returning", "failed"],
  failed: ["returning"],
  returning: ["returned"],
};

/** Where a move leads that was taken, and which moves it leaves out; undefined where the specification doesn't say. */
function led({ stage }: KnownDelivery, move: Move): { stage: Stage; omits: readonly string[] } | undefined {
  if (move === "offer_lapsed") return stage === "offered" ? { stage: "queued", omits: [] } : undefined;
  if (TURNS[stage]?.includes(move)) return { stage: move, omits: [] };
  const [from, to] = [ROAD.indexOf(stage), ROAD.indexOf(move)];
  return from >= 0 && from < to ? { stage: move, omits: ROAD.slice(from + 1, to) } : undefined;
}

/** Sets a time, or is a status of its own by the kind of its event. An offer may be neither (OPEN-82). */
const surelyChanges = (move: Move) => move !== "offered" && move !== "offer_lapsed";

/** Makes a move. One that is refused, or comes after the end, leaves the delivery as it was. */
async function make(move: Move, known: KnownDelivery, system: RidingSystem): Promise<boolean> {
  const taken = await system.move(known.id, move);
  system.story.push(taken ? `${move} of ${known.name}` : `${move} of ${known.name}, which is refused`);
  if (!taken || STAGES[known.stage].final) {
    await expectUnchanged(system, known);
    return taken;
  }
  const way = led(known, move);
  const shown = await read(system.api, known.id);
  if (!way) {
    known.stage = "astray";
    known.version = shown.version;
    return true;
  }
  const changes = surelyChanges(move) || shown.status !== known.status;
  const version = known.version + (changes ? 1 : 0);
  expect(shown.version, `version of ${known.name} after ${move}`).toBeGreaterThanOrEqual(version);
  known.stage = way.stage;
  known.status = shown.status;
  known.version = shown.version;
  known.moves.push(move);
  known.omitted.push(...way.omits);
  known.news.push({ kind: move === "offer_lapsed" ? "queued" : move, version, due: true });
  expectAsKnown(known, shown);
  expectMarks(known, shown);
  return true;
}

/** Makes the next moves in their order, which every target takes. */
const ride = fc.record({ pick: picks, moves: fc.integer({ min: 1, max: 3 }) }).map(({ pick, moves }) =>
  stepWithOne<RidingSystem>(
    pick,
    (known) => nextOf(known) !== undefined,
    async (known, system) => {
      for (let made = 0; made < moves; made += 1) {
        const move = nextOf(known);
        if (move === undefined) return;
        if (await make(move, known, system)) continue;
        // That one of the way is refused says nothing about the service, but that the search goes on is said (STATE-17).
        expect(known.moves.at(-1), `what came before the refused ${move}`).not.toBe("offer_lapsed");
        throw new NotTestable(`the control interface refused the courier's move ${move} (409)`);
      }
    },
  ),
);

const turn = fc.record({ pick: picks, which: fc.nat({ max: 1 }) }).map(({ pick, which }) =>
  stepWithOne<RidingSystem>(
    pick,
    ({ stage }) => TURNS[stage] !== undefined,
    async (known, system) => {
      const [first, second = first] = TURNS[known.stage] ?? [];
      const move = which === 0 ? first : second;
      if (move !== undefined) await make(move, known, system);
    },
  ),
);

/** An offer that nobody takes. */
const lapse = picks.map((pick) =>
  stepWithOne<RidingSystem>(
    pick,
    ({ stage }) => stage === "queued" || stage === "offered",
    async (known, system) => {
      if (known.stage === "offered" || (await make("offered", known, system))) {
        await make("offer_lapsed", known, system);
      }
    },
  ),
);

const MOVES: readonly Move[] = [...COURIERS_WAY, "offer_lapsed", "failed", "returning", "returned"];

/** Any moves, whether they are for now or not, until one is taken: which ones a target takes is its business. */
const tryMoves = fc
  .record({ pick: picks, tried: fc.shuffledSubarray([...MOVES], { minLength: 1, maxLength: 5 }) })
  .map(({ pick, tried }) =>
    stepWithOne<RidingSystem>(
      pick,
      ({ stage }) => stage !== "astray",
      async (known, system) => {
        for (const move of tried) {
          if (await make(move, known, system)) return;
        }
      },
    ),
  );

/** The last move again, as of a courier whose tap on the screen wasn't answered in time. */
const again = picks.map((pick) =>
  stepWithOne<RidingSystem>(
    pick,
    ({ stage, moves }) => stage !== "astray" && moves.length > 0,
    async (known, system) => {
      const move = MOVES.find((one) => one === known.moves.at(-1));
      if (move !== undefined) await make(move, known, system);
    },
  ),
);

/** What couriers do, in about the proportions that bring every end about. */
export const moves: readonly fc.Arbitrary<Riding>[] = [
  ride,
  ride,
  ride,
  ride,
  ride,
  lapse,
  lapse,
  lapse,
  turn,
  turn,
  again,
  again,
  tryMoves,
  tryMoves,
];

/** The moves that set a time. */
const TIMES = {
  assigned: "assigned_at",
  picked_up: "picked_up_at",
  delivered: "delivered_at",
  returned: "returned_at",
} as const satisfies Partial<Record<Move, keyof Delivery>>;

/** Asserts that what only the courier's moves leave on a delivery is there after them, and not before. */
export function expectMarks({ name, stage, moves, omitted }: KnownDelivery, shown: Delivery): void {
  if (stage === "astray") return;
  for (const [move, time] of Object.entries(TIMES)) {
    if (moves.includes(move)) {
      const earliest = Date.parse(shown.created_at) - 1000;
      expect(Date.parse(shown[time] ?? ""), `${time} of ${name}`).toBeGreaterThanOrEqual(earliest);
    } else if (!omitted.includes(move)) {
      expect(shown[time] ?? null, `${time} of ${name}, which is ${stage}`).toBeNull();
    }
  }
  if (moves.includes("assigned") || omitted.includes("assigned")) return;
  expect(shown.courier ?? null, `courier of ${name}, to whom nobody is assigned`).toBeNull();
}
