import { type ClauseId, clause } from "../../../../openapi/generated/clauses.ts";
import { eachAtOnce } from "../../../core/concurrency.ts";
import type { Schemas } from "../../../core/contract/document.ts";
import type { COURIER_ACTIONS } from "../../../core/control.ts";
import { expectThat } from "../../../core/grading/expectations/expect.ts";
import { attributeFailures } from "../../../core/grading/failures/attributed-to.ts";
import type { BaseContext } from "../../check.ts";
import { expectSameFields, integratorFields, readDelivery } from "../../support/orders/deliveries.ts";

type Delivery = Schemas["Delivery"];

/** The stage of a delivery, named after the last action of its integrator or courier. */
export type Stage =
  | "received"
  | "queued"
  | "cancelled"
  | (typeof COURIER_ACTIONS)[number]
  | "failed"
  | "returning"
  | "returned"
  /** The effect of the last action is unspecified. */
  | "unspecified";

/**
 * The expected response to a request: accepted, unspecified, or 409 with one of the codes (any code if the list
 * is empty).
 */
type ExpectedResponse = "accepted" | "unspecified" | readonly string[];

interface StageRules {
  readonly change: ExpectedResponse;
  readonly cancellation: ExpectedResponse;
  /** True if no action has an effect in this stage. */
  readonly final?: true;
  /** Asserts the fields that this stage determines. */
  expectShown(delivery: Delivery, known: ModelDelivery): void;
}

const expectOpen = (delivery: Delivery) => expectThat("cancelled_at", delivery.cancelled_at ?? null).is(null);

const STATUS_CLAUSES: Readonly<Partial<Record<Stage, readonly ClauseId[]>>> = {
  assigned: [clause["STATE-11"]],
  delivered: [clause["STATE-37"]],
  cancelled: [clause["STATE-36"], clause["STATE-49"]],
};

/** The status during an offer is unspecified (OPEN-82), except that it isn't RECEIVED or final. */
function expectSearching(delivery: Delivery): void {
  expectOpen(delivery);
  expectThat("status", delivery.status).isNot("RECEIVED");
}

function expectStatusKept(delivery: Delivery, known: ModelDelivery): void {
  attributeFailures(STATUS_CLAUSES[known.stage] ?? [], () => {
    expectThat({ field: "status", where: `of ${known.name}, which is ${known.stage}` }, delivery.status).is(
      known.status,
    );
    expectThat("status", delivery.status).isNoneOf(["RECEIVED", "QUEUED"]);
  });
}

function expectWithCourier(delivery: Delivery, known: ModelDelivery): void {
  expectOpen(delivery);
  expectStatusKept(delivery, known);
  if (!known.actions.includes("assigned")) return;
  attributeFailures([clause["STATE-13"]], () =>
    expectThat({ field: "courier", where: "after the assignment" }, delivery.courier ?? null).isNot(null),
  );
}

function expectEnded(delivery: Delivery, known: ModelDelivery): void {
  expectOpen(delivery);
  expectStatusKept(delivery, known);
}

const WITH_COURIER: StageRules = {
  change: ["KURYE_ALDI"],
  cancellation: ["KURYE_ALDI"],
  expectShown: expectWithCourier,
};
/** The server may refuse a change with SON_DURUM or KURYE_ALDI (OPEN-89). */
const ENDED: StageRules = {
  change: ["SON_DURUM", "KURYE_ALDI"],
  cancellation: ["SON_DURUM"],
  final: true,
  expectShown: expectEnded,
};

export const STAGES: Readonly<Record<Stage, StageRules>> = {
  // A service that geocodes may queue the delivery (OPEN-83).
  received: { change: "accepted", cancellation: "accepted", expectShown: expectOpen },
  queued: { change: "accepted", cancellation: "accepted", expectShown: expectSearching },
  offered: { change: "accepted", cancellation: "accepted", expectShown: expectSearching },
  assigned: {
    change: "accepted",
    cancellation: "accepted",
    expectShown(delivery, known) {
      expectWithCourier(delivery, known);
      attributeFailures([clause["STATE-11"]], () => expectThat("status", delivery.status).is("ASSIGNED"));
    },
  },
  at_pickup: { change: "accepted", cancellation: "accepted", expectShown: expectWithCourier },
  picked_up: WITH_COURIER,
  en_route: WITH_COURIER,
  arrived: WITH_COURIER,
  delivered: ENDED,
  // Refusals after a failure are only recommended (STATE-30), and the package may still be returned (OPEN-91).
  failed: { change: "unspecified", cancellation: "unspecified", expectShown: expectEnded },
  // The refusal of a cancellation is only recommended during the return (STATE-25).
  returning: { ...WITH_COURIER, cancellation: "unspecified" },
  returned: ENDED,
  cancelled: {
    // The code for a refused change is only recommended (STATE-32), so any code is accepted.
    change: [],
    cancellation: ["SON_DURUM"],
    final: true,
    expectShown(delivery, known) {
      expectThat("cancelled_at", delivery.cancelled_at ?? null).isNot(null);
      expectStatusKept(delivery, known);
      attributeFailures([clause["STATE-36"], clause["STATE-49"]], () =>
        expectThat("status", delivery.status).isNot("ASSIGNED"),
      );
    },
  },
  unspecified: { change: "unspecified", cancellation: "unspecified", expectShown: () => {} },
};

interface ExpectedEvent {
  /** The event's type without `delivery.`. */
  readonly kind: string;
  /**
   * The minimum of the event's data.version, which is the delivery's version after the change or at the time of
   * sending (OPEN-188).
   */
  readonly version: number;
  readonly required: boolean;
}

export interface ModelDelivery {
  /** The delivery's name in the transcript: A, B, C … */
  readonly name: string;
  readonly id: string;
  readonly openedAs: Stage;
  stage: Stage;
  /** The delivery's status when it entered the stage. */
  status: string;
  /** The highest version returned so far. */
  version: number;
  /** The delivery as returned last. */
  shown: Delivery;
  /** The number of steps before the delivery was last read. */
  readAfter: number;
  fields: ReturnType<typeof integratorFields>;
  readonly actions: string[];
  /** The courier actions that the control interface allowed to skip. */
  readonly omittedActions: string[];
  readonly expectedEvents: ExpectedEvent[];
}

export interface LifecycleModel {
  readonly deliveries: ModelDelivery[];
}

/** The target of a random sequence of requests, and the transcript of its steps. */
export interface LifecycleSystem extends Pick<BaseContext, "api" | "order" | "point" | "now"> {
  readonly steps: string[];
  /** Asserts more about each response that contains the delivery. */
  expectMore?(known: ModelDelivery, shown: Delivery): void;
}

export function addDelivery(model: LifecycleModel, delivery: Delivery, stage: Stage): ModelDelivery {
  const known: ModelDelivery = {
    name: String.fromCharCode("A".charCodeAt(0) + model.deliveries.length),
    id: delivery.id,
    openedAs: stage,
    stage,
    status: delivery.status,
    version: delivery.version,
    shown: delivery,
    readAfter: 0,
    fields: integratorFields(delivery),
    actions: [],
    omittedActions: [],
    expectedEvents: [],
  };
  known.expectedEvents.push({ kind: "created", version: 1, required: true });
  if (stage === "queued") known.expectedEvents.push({ kind: "queued", version: 1, required: true });
  model.deliveries.push(known);
  return known;
}

/** Records an event that an accepted change must cause, or may cause if it isn't required. The change raises the version. */
export function expectEvent(known: ModelDelivery, kind: string, required = true): void {
  known.expectedEvents.push({ kind, version: known.version + 1, required });
}

const VERSION_CLAUSES: readonly ClauseId[] = [clause["DLV-8"], clause["DLV-9"]];

export function expectToMatchModel(known: ModelDelivery, shown: Delivery): void {
  expectSameFields(
    integratorFields(shown),
    known.fields,
    `${known.name}, compared with the accepted requests`,
  );
  attributeFailures(VERSION_CLAUSES, () =>
    expectThat({ field: "version", where: `of ${known.name}` }, shown.version).isAtLeast(known.version),
  );
  STAGES[known.stage].expectShown(shown, known);
}

/** Reads a delivery, and records that the read follows the steps so far. */
export async function readAfterSteps(
  { api, steps }: LifecycleSystem,
  known: ModelDelivery,
): Promise<Delivery> {
  known.readAfter = steps.length;
  return readDelivery(api, known.id);
}

/** The clauses that are violated if a delivery changes though no accepted request named the change. */
const UNTOUCHED_CLAUSES: readonly ClauseId[] = [clause["PATCH-18"], clause["STATE-26"]];

/**
 * Reads a delivery and asserts that it equals the model.
 * @param clauses the clauses that a difference violates. Defaults to the clauses about an untouched delivery
 */
export async function expectUnchanged(
  system: LifecycleSystem,
  known: ModelDelivery,
  clauses: readonly ClauseId[] = UNTOUCHED_CLAUSES,
): Promise<void> {
  const shown = await readAfterSteps(system, known);
  attributeFailures(clauses, () => {
    expectToMatchModel(known, shown);
    system.expectMore?.(known, shown);
  });
  known.version = shown.version;
  known.shown = shown;
}

/** Asserts that no delivery has changed since its own last step. The last step has read its delivery already. */
export const expectAllUnchanged = (system: LifecycleSystem, { deliveries }: LifecycleModel): Promise<void> =>
  eachAtOnce(
    deliveries.filter(({ readAfter }) => readAfter < system.steps.length),
    (known) => expectUnchanged(system, known),
  );

/**
 * Reads a delivery after an accepted change, and asserts that only the fields of `change` differ, and that the
 * version is higher.
 * @param targetChosen fields whose values the target chooses, such as a time
 */
export async function expectChanged(
  system: LifecycleSystem,
  known: ModelDelivery,
  change: Partial<ModelDelivery["fields"]>,
  targetChosen: readonly (keyof ModelDelivery["fields"])[] = [],
): Promise<void> {
  const shown = await readAfterSteps(system, known);
  attributeFailures(VERSION_CLAUSES, () =>
    expectThat({ field: "version", where: `of ${known.name} after the change` }, shown.version).isMoreThan(
      known.version,
    ),
  );
  known.status = shown.status;
  const shownFields = integratorFields(shown);
  const accepted = Object.fromEntries(targetChosen.map((key) => [key, shownFields[key]]));
  known.fields = { ...known.fields, ...change, ...accepted };
  known.version = shown.version;
  known.shown = shown;
  expectToMatchModel(known, shown);
  system.expectMore?.(known, shown);
}
