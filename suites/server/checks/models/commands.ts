import * as fc from "fast-check";
import { type ClauseId, clause } from "../../../../openapi/generated/clauses.ts";
import { isoInstant } from "../../../core/clock.ts";
import type { Schemas } from "../../../core/contract/document.ts";
import { expectThat } from "../../../core/grading/expectations/expect.ts";
import { attributeStepFailures } from "../../../core/grading/failures/attributed-to.ts";
import { newIdempotencyKey } from "../../session/http/api.ts";
import { createDelivery, createUnlocatedDelivery } from "../../support/orders/deliveries.ts";
import { near } from "../../support/orders/orders.ts";
import {
  addDelivery,
  expectChanged,
  expectEvent,
  expectUnchanged,
  type LifecycleModel,
  type LifecycleSystem,
  type ModelDelivery,
  STAGES,
  type Stage,
} from "./lifecycle.ts";

export type LifecycleCommand<System extends LifecycleSystem = LifecycleSystem> = fc.AsyncCommand<
  LifecycleModel,
  System
>;

type DeliveryFilter = (known: ModelDelivery) => boolean;

/** A step that is possible in every state of the model. */
export const command = <System extends LifecycleSystem = LifecycleSystem>(
  description: string,
  run: (model: LifecycleModel, system: System) => Promise<void>,
): LifecycleCommand<System> => ({
  check: () => true,
  async run(model, system) {
    system.steps.push(description);
    await run(model, system);
  },
});

/** A step on one of the deliveries for which `allows` is true. `pick` chooses the delivery. */
export const deliveryCommand = <System extends LifecycleSystem = LifecycleSystem>(
  pick: number,
  allows: DeliveryFilter,
  run: (known: ModelDelivery, system: System) => Promise<void>,
): LifecycleCommand<System> => ({
  check: ({ deliveries }) => deliveries.some(allows),
  async run({ deliveries }, system) {
    const allowedDeliveries = deliveries.filter(allows);
    const known = allowedDeliveries[pick % allowedDeliveries.length];
    if (!known) throw new Error("the model allowed an impossible step");
    await run(known, system);
  },
});

/** A `deliveryCommand` with a description. A failure without its own clause is attributed to `clauses`. */
const describedCommand = (
  description: string,
  pick: number,
  allows: DeliveryFilter,
  clauses: readonly ClauseId[],
  run: (known: ModelDelivery, system: LifecycleSystem) => Promise<void>,
): LifecycleCommand =>
  deliveryCommand(pick, allows, async (known, system) => {
    system.steps.push(`${description} ${known.name}`);
    await attributeStepFailures(clauses, () => run(known, system));
  });

const isChangeable: DeliveryFilter = ({ stage }) => STAGES[stage].change === "accepted";
const isCancellable: DeliveryFilter = ({ stage }) => STAGES[stage].cancellation === "accepted";
const isReceived: DeliveryFilter = ({ stage }) => stage === "received";

/**
 * The codes that may refuse the request in the delivery's stage. Undefined if the request is accepted or
 * unspecified.
 */
const refusalCodes = ({ stage }: ModelDelivery, request: "change" | "cancellation") => {
  const expected = STAGES[stage][request];
  return expected === "accepted" || expected === "unspecified" ? undefined : expected;
};

/** Few values, so that most steps act on the same deliveries. */
export const picks = fc.nat({ max: 1 });

/** Creates deliveries concurrently, so that some probably have equal updated_at. */
const create = fc
  .record({ count: fc.constantFrom(1, 1, 1, 3), located: fc.boolean() })
  .map(({ count, located }) =>
    command(`create ${count}${located ? "" : " without coordinates"}`, async (model, system) => {
      const responses = await Promise.all(
        Array.from({ length: count }, () =>
          located ? createDelivery(system) : createUnlocatedDelivery(system),
        ),
      );
      for (const delivery of responses) {
        expectThat({ field: "status", where: "after creation" }, delivery.status).is(
          located ? "QUEUED" : "RECEIVED",
        );
        addDelivery(model, delivery, located ? "queued" : "received");
      }
    }),
  );

type IntegratorFields = ModelDelivery["fields"];

interface FieldChange {
  readonly change: Schemas["DeliveryChange"];
  fieldsAfter(before: IntegratorFields): Partial<IntegratorFields>;
  /** The stage after the change. Defaults to the same stage. */
  readonly stage?: Stage;
  readonly isEventOptional?: true;
}

const minutesFrom = (now: number, minutes: number) => Math.floor(now / 1000) * 1000 + minutes * 60_000;

/**
 * Changes of one field each. The number `n` makes each value new, because a change to the same value is
 * unspecified (OPEN-153).
 */
const CHANGES = {
  notes: (n) => ({ change: { notes: `Kat ${n}` }, fieldsAfter: () => ({ notes: `Kat ${n}` }) }),
  // Whether delivery.updated is sent if only the customer changes is unspecified (OPEN-155).
  "customer.name": (n) => ({
    change: { customer: { name: `Ad ${n}` } },
    isEventOptional: true,
    fieldsAfter: ({ customer }) => ({ customer: { ...customer, name: `Ad ${n}` } }),
  }),
  "customer.phone_extension": (n) => ({
    change: { customer: { phone_extension: String(100 + n) } },
    isEventOptional: true,
    fieldsAfter: ({ customer }) => ({ customer: { ...customer, phone_extension: String(100 + n) } }),
  }),
  ready_at: (n, { now }) => {
    const ready_at = minutesFrom(now(), 20 + n);
    return { change: { ready_at: isoInstant(ready_at) }, fieldsAfter: () => ({ ready_at }) };
  },
  dropoff: (n, { point }) => {
    const text = `Model Sokak ${n}, Fatih, İstanbul`;
    return {
      change: { dropoff: { text, ...near(point, 1 + (n % 3)) } },
      fieldsAfter: () => ({ address: text }),
      stage: "queued",
    };
  },
} satisfies Record<string, (n: number, system: LifecycleSystem) => FieldChange>;

type ChangeKind = keyof typeof CHANGES;

const DEFAULT_CHANGE_CLAUSES: readonly ClauseId[] = [clause["PATCH-1"], clause["PATCH-18"]];
const CLAUSES_BY_KIND: Readonly<Partial<Record<ChangeKind, readonly ClauseId[]>>> = {
  dropoff: [clause["PATCH-1"], clause["STATE-7"]],
};

const changeOf = (kinds: readonly ChangeKind[], allows: DeliveryFilter) =>
  fc.record({ pick: picks, kind: fc.constantFrom(...kinds) }).map(({ pick, kind }) =>
    describedCommand(
      `change ${kind} of`,
      pick,
      allows,
      CLAUSES_BY_KIND[kind] ?? DEFAULT_CHANGE_CLAUSES,
      async (known, system) => {
        const fieldChange: FieldChange = CHANGES[kind](system.steps.length, system);
        (await system.api.updateDelivery(known.id, fieldChange.change)).expectSuccess();
        known.stage = fieldChange.stage ?? known.stage;
        expectEvent(known, "updated", !fieldChange.isEventOptional);
        await expectChanged(system, known, fieldChange.fieldsAfter(known.fields));
      },
    ),
  );

const TEXT_CHANGES: readonly ChangeKind[] = [
  "notes",
  "customer.name",
  "customer.phone_extension",
  "ready_at",
];

const change = changeOf([...TEXT_CHANGES, "dropoff"], isChangeable);

/** Changes that keep the address, because a new address may affect an offer or an assignment (OPEN-85). */
export const changeText = changeOf(TEXT_CHANGES, isChangeable);
export const locate = changeOf(["dropoff"], isReceived);

export const cancel = picks.map((pick) =>
  describedCommand("cancel", pick, isCancellable, [clause["STATE-36"]], async (known, system) => {
    (await system.api.cancelDelivery(known.id, "Müşteri vazgeçti")).expectSuccess();
    known.stage = "cancelled";
    expectEvent(known, "cancelled");
    await expectChanged(system, known, {}, ["cancelled_at", "cancel_reason"]);
  }),
);

export const readAgain = picks.map((pick) =>
  describedCommand(
    "read",
    pick,
    () => true,
    [],
    (known, system) => expectUnchanged(system, known),
  ),
);

/** A change that the delivery's stage forbids. The server must refuse the change, without an effect. */
export const lateChange = picks.map((pick) =>
  describedCommand(
    "try to change notes of",
    pick,
    (known) => refusalCodes(known, "change") !== undefined,
    [clause["STATE-31"], clause["STATE-23"]],
    async (known, system) => {
      const body = { notes: "Çok geç" };
      const response = await system.api.sendInvalid("updateDelivery", "the status forbids changes", {
        path: { id: known.id },
        body,
      });
      response.expectError(409, ...(refusalCodes(known, "change") ?? []));
      await expectUnchanged(system, known, [clause["STATE-36"], clause["STATE-26"]]);
    },
  ),
);

export const lateCancellation = picks.map((pick) =>
  describedCommand(
    "try to cancel",
    pick,
    (known) => refusalCodes(known, "cancellation") !== undefined,
    [clause["STATE-27"], clause["STATE-24"]],
    async (known, system) => {
      const body = { reason: "Çok geç" };
      const response = await system.api.sendInvalid("cancelDelivery", "the status forbids a cancellation", {
        path: { id: known.id },
        body,
      });
      response.expectError(409, ...(refusalCodes(known, "cancellation") ?? []));
      await expectUnchanged(system, known, [clause["CANCEL-5"], clause["STATE-26"]]);
    },
  ),
);

const invalidChange = picks.map((pick) =>
  describedCommand(
    "change to notes of 501 characters",
    pick,
    isChangeable,
    [clause["PATCH-19"]],
    async (known, system) => {
      const body = { notes: "x".repeat(501) };
      const response = await system.api.sendInvalid("updateDelivery", "notes of 501 characters", {
        path: { id: known.id },
        body,
      });
      response.expectError(400, "DOGRULAMA");
      await expectUnchanged(system, known, [clause["PATCH-19"]]);
    },
  ),
);

const repeatedReference = picks.map((pick) =>
  describedCommand(
    "create another with the external_ref of",
    pick,
    isChangeable,
    [clause["ERR-18"]],
    async (known, system) => {
      const body = await system.order({ external_ref: known.fields.external_ref });
      const response = await system.api.sendInvalid(
        "createDelivery",
        "an external_ref that exists",
        { body },
        { key: newIdempotencyKey() },
      );
      response.expectError(409, "EXTERNAL_REF_TEKRAR");
      await expectUnchanged(system, known, [clause["ERR-18"]]);
    },
  ),
);

/** An integrator's accepted requests, in realistic proportions. */
export const validCommands: readonly fc.Arbitrary<LifecycleCommand>[] = [
  create,
  change,
  change,
  change,
  cancel,
  cancel,
];

export const refusedCommands: readonly fc.Arbitrary<LifecycleCommand>[] = [
  lateChange,
  lateCancellation,
  lateCancellation,
  invalidChange,
  repeatedReference,
];
