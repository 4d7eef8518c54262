import * as fc from "fast-check";
import { type ClauseId, clause } from "../../../../openapi/generated/clauses.ts";
import type { Schemas } from "../../../core/contract/document.ts";
import { COURIER_ACTIONS } from "../../../core/control.ts";
import { expectThat } from "../../../core/grading/expectations/expect.ts";
import { attributeFailures } from "../../../core/grading/failures/attributed-to.ts";
import { CheckSkipped } from "../../../core/grading/failures/failure.ts";
import type { ContextFor } from "../../check.ts";
import { ROUNDING_MS } from "../../support/orders/deliveries.ts";
import { expectNoEarlier, instantIn } from "../../support/shown-values.ts";
import { deliveryCommand, type LifecycleCommand, picks } from "./commands.ts";
import {
  expectToMatchModel,
  expectUnchanged,
  type LifecycleSystem,
  type ModelDelivery,
  readAfterSteps,
  STAGES,
  type Stage,
} from "./lifecycle.ts";

type Delivery = Schemas["Delivery"];

export interface CourierSystem extends LifecycleSystem, Pick<ContextFor<"courier">, "performCourierAction"> {}

type CourierAction = (typeof COURIER_ACTIONS)[number] | "offer_lapsed" | "failed" | "returning" | "returned";
type CourierCommand = LifecycleCommand<CourierSystem>;

const STAGES_UNTIL_DELIVERY: readonly Stage[] = ["queued", ...COURIER_ACTIONS];

/** The next action towards the delivery. Undefined in a stage without one. */
const nextAction = ({ stage }: ModelDelivery): CourierAction | undefined =>
  STAGES_UNTIL_DELIVERY.includes(stage) ? COURIER_ACTIONS[STAGES_UNTIL_DELIVERY.indexOf(stage)] : undefined;

/** For each stage, the actions other than the next one towards the delivery. */
const BRANCHES: Partial<Record<Stage, readonly [CourierAction, ...CourierAction[]]>> = {
  offered: ["offer_lapsed"],
  picked_up: ["returning", "failed"],
  en_route: ["returning", "failed"],
  arrived: ["returning", "failed"],
  failed: ["returning"],
  returning: ["returned"],
};

/**
 * The stage after an accepted action, with the actions that were skipped. Undefined if the stage is
 * unspecified.
 */
function transition(
  { stage }: ModelDelivery,
  action: CourierAction,
): { stage: Stage; omits: readonly string[] } | undefined {
  if (action === "offer_lapsed") return stage === "offered" ? { stage: "queued", omits: [] } : undefined;
  if (BRANCHES[stage]?.includes(action)) return { stage: action, omits: [] };
  const [from, to] = [STAGES_UNTIL_DELIVERY.indexOf(stage), STAGES_UNTIL_DELIVERY.indexOf(action)];
  return from >= 0 && from < to
    ? { stage: action, omits: STAGES_UNTIL_DELIVERY.slice(from + 1, to) }
    : undefined;
}

/** True for an action that sets a time or has its own event. An offer may do neither (OPEN-82). */
const certainlyChanges = (action: CourierAction) => action !== "offered" && action !== "offer_lapsed";

/**
 * For each stage, the clauses that forbid an effect of a refused action, or of an action after a final status.
 */
const UNCHANGED_CLAUSES: Readonly<Partial<Record<Stage, readonly ClauseId[]>>> = {
  delivered: [clause["STATE-37"]],
  cancelled: [clause["STATE-49"]],
};

async function sendAction(
  action: CourierAction,
  known: ModelDelivery,
  system: CourierSystem,
): Promise<boolean> {
  const accepted = await system.performCourierAction(known.id, action);
  system.steps.push(accepted ? `${action} of ${known.name}` : `${action} of ${known.name}, which is refused`);
  return accepted;
}

const expectNoEffect = (known: ModelDelivery, system: CourierSystem) =>
  expectUnchanged(system, known, UNCHANGED_CLAUSES[known.stage]);

/**
 * Performs an action. If the action is refused or comes after a final status, asserts that it has no effect.
 */
async function performAction(
  action: CourierAction,
  known: ModelDelivery,
  system: CourierSystem,
): Promise<boolean> {
  const accepted = await sendAction(action, known, system);
  if (accepted) await expectTransition(action, known, system);
  else await expectNoEffect(known, system);
  return accepted;
}

/** Asserts that an accepted action has its effect, or none after a final status. */
async function expectTransition(
  action: CourierAction,
  known: ModelDelivery,
  system: CourierSystem,
): Promise<void> {
  if (STAGES[known.stage].final) return expectNoEffect(known, system);
  const next = transition(known, action);
  const shown = await readAfterSteps(system, known);
  known.shown = shown;
  if (!next) {
    known.stage = "unspecified";
    known.version = shown.version;
    return;
  }
  const changes = certainlyChanges(action) || shown.status !== known.status;
  const version = known.version + (changes ? 1 : 0);
  attributeFailures([clause["DLV-9"]], () =>
    expectThat({ field: "version", where: `of ${known.name} after ${action}` }, shown.version).isAtLeast(
      version,
    ),
  );
  known.stage = next.stage;
  known.status = shown.status;
  known.version = shown.version;
  known.actions.push(action);
  known.omittedActions.push(...next.omits);
  known.expectedEvents.push({ kind: action === "offer_lapsed" ? "queued" : action, version, required: true });
  expectToMatchModel(known, shown);
  expectCourierFields(known, shown);
}

const advanceCourier = fc
  .record({ pick: picks, moves: fc.integer({ min: 1, max: 3 }) })
  .map(({ pick, moves }) =>
    deliveryCommand<CourierSystem>(
      pick,
      (known) => nextAction(known) !== undefined,
      async (known, system) => {
        for (let move = 0; move < moves; move += 1) {
          const action = nextAction(known);
          if (action === undefined) return;
          if (await performAction(action, known, system)) continue;
          // A service that assigns couriers without an offer (OPEN-202) refuses the action `offered`.
          if (action === "offered" && known.actions.length === 0) {
            if (await performAction("assigned", known, system)) continue;
          }
          // An action may be refused, except after a lapsed offer: the service must go on searching (STATE-17).
          attributeFailures([clause["STATE-17"]], () =>
            expectThat(`the last action before the refused ${action}`, known.actions.at(-1)).isNot(
              "offer_lapsed",
            ),
          );
          throw new CheckSkipped(`the control interface refused the courier action ${action}`);
        }
      },
    ),
  );

const branchOff = fc.record({ pick: picks, which: fc.nat({ max: 1 }) }).map(({ pick, which }) =>
  deliveryCommand<CourierSystem>(
    pick,
    ({ stage }) => BRANCHES[stage] !== undefined,
    async (known, system) => {
      const [first, second = first] = BRANCHES[known.stage] ?? [];
      const action = which === 0 ? first : second;
      if (action !== undefined) await performAction(action, known, system);
    },
  ),
);

/** Makes an offer, unless the delivery has one already, and lets the offer lapse. */
const lapseOffer = picks.map((pick) =>
  deliveryCommand<CourierSystem>(
    pick,
    ({ stage }) => stage === "queued" || stage === "offered",
    async (known, system) => {
      if (known.stage === "offered" || (await performAction("offered", known, system))) {
        await performAction("offer_lapsed", known, system);
      }
    },
  ),
);

const ACTIONS: readonly CourierAction[] = [
  ...COURIER_ACTIONS,
  "offer_lapsed",
  "failed",
  "returning",
  "returned",
];

/** Tries arbitrary actions until one is accepted. One read shows that successive refused actions have no effect. */
const tryActions = fc
  .record({ pick: picks, tried: fc.shuffledSubarray([...ACTIONS], { minLength: 1, maxLength: 5 }) })
  .map(({ pick, tried }) =>
    deliveryCommand<CourierSystem>(
      pick,
      ({ stage }) => stage !== "unspecified",
      async (known, system) => {
        let isRead = true;
        for (const action of tried) {
          // The effect of the next action could hide the effect of a refused action.
          if (!isRead && transition(known, action) !== undefined) {
            await expectNoEffect(known, system);
            isRead = true;
          }
          if (await sendAction(action, known, system)) {
            await expectTransition(action, known, system);
            return;
          }
          isRead = false;
        }
        if (!isRead) await expectNoEffect(known, system);
      },
    ),
  );

/** Repeats the last action, as a courier app does after a timeout. */
const repeatAction = picks.map((pick) =>
  deliveryCommand<CourierSystem>(
    pick,
    ({ stage, actions }) => stage !== "unspecified" && actions.length > 0,
    async (known, system) => {
      const action = ACTIONS.find((candidate) => candidate === known.actions.at(-1));
      if (action !== undefined) await performAction(action, known, system);
    },
  ),
);

/** Courier actions, in proportions that reach every final state. */
export const courierCommands: readonly fc.Arbitrary<CourierCommand>[] = [
  advanceCourier,
  advanceCourier,
  advanceCourier,
  advanceCourier,
  advanceCourier,
  lapseOffer,
  lapseOffer,
  lapseOffer,
  branchOff,
  branchOff,
  repeatAction,
  repeatAction,
  tryActions,
  tryActions,
];

/** Clauses that require an action to set its time. No clause of the check is about returned_at. */
const TIME_CLAUSES: Readonly<Record<string, readonly ClauseId[]>> = {
  assigned: [clause["STATE-12"]],
  picked_up: [clause["DLV-49"]],
  delivered: [clause["DLV-50"]],
};

const TIME_FIELDS = {
  assigned: "assigned_at",
  picked_up: "picked_up_at",
  delivered: "delivered_at",
  returned: "returned_at",
} as const satisfies Partial<Record<CourierAction, keyof Delivery>>;

/** Asserts the fields that only courier actions set. */
export function expectCourierFields(
  { name, stage, actions, omittedActions }: ModelDelivery,
  shown: Delivery,
): void {
  if (stage === "unspecified") return;
  for (const [action, time] of Object.entries(TIME_FIELDS)) {
    attributeFailures(TIME_CLAUSES[action] ?? [], () => {
      if (actions.includes(action)) {
        const earliest =
          instantIn(shown.created_at, { field: "created_at", where: `of ${name}` }) - ROUNDING_MS;
        expectNoEarlier(shown[time], earliest, { field: time, where: `of ${name}` });
      } else if (!omittedActions.includes(action)) {
        expectThat({ field: time, where: `of ${name}, which is ${stage}` }, shown[time] ?? null).is(null);
      }
    });
  }
  if (actions.includes("assigned") || omittedActions.includes("assigned")) return;
  attributeFailures([clause[stage === "offered" ? "DLV-101" : "STATE-13"]], () =>
    expectThat(
      { field: "courier", where: `of ${name}, which has no courier assigned,` },
      shown.courier ?? null,
    ).is(null),
  );
}
