import * as fc from "fast-check";
import { type ClauseId, clause } from "../../../../openapi/generated/clauses.ts";
import { eachAtOnce } from "../../../core/concurrency.ts";
import { auxiliaryStep } from "../../../core/grading/expectations/auxiliary-step.ts";
import { attributeFailures, attributeStepFailures } from "../../../core/grading/failures/attributed-to.ts";
import { type Check, check } from "../../check.ts";
import { LIST_LAG_MS } from "../../session/lists/list-readings.ts";
import { ARRIVAL_MS } from "../../session/webhook-receiver/inbox.ts";
import { sinceCreationOf } from "../../support/lists/delivery-list.ts";
import { ListReader } from "../../support/lists/list-reader.ts";
import { expectLatestVersionListed, expectListed } from "../../support/lists/listed-deliveries.ts";
import { createDelivery, createUnlocatedDelivery } from "../../support/orders/deliveries.ts";
import {
  cancel,
  changeText,
  command,
  lateCancellation,
  lateChange,
  locate,
  readAgain,
  refusedCommands,
  validCommands,
} from "./commands.ts";
import { type CourierSystem, courierCommands, expectCourierFields } from "./courier.ts";
import { expectEvents, waitUntilReported } from "./events.ts";
import {
  addDelivery,
  expectAllUnchanged,
  expectToMatchModel,
  expectUnchanged,
  type LifecycleModel,
  type LifecycleSystem,
} from "./lifecycle.ts";
import { runSequences } from "./sequences.ts";

const withoutCourier = check({
  id: "models.life-without-a-courier",
  title:
    "deliveries that are created, changed and cancelled in random order have the values of exactly the accepted requests",
  clauses: [
    clause["STATE-7"],
    clause["STATE-27"],
    clause["STATE-31"],
    clause["STATE-36"],
    clause["PATCH-1"],
    clause["PATCH-18"],
    clause["PATCH-19"],
    clause["CANCEL-5"],
    clause["DLV-8"],
    clause["ERR-18"],
  ],
  async run(context) {
    await runSequences(context, {
      commands: [...validCommands, ...refusedCommands, readAgain],
      setting: fc.constant(undefined),
      async start(model, system) {
        addDelivery(model, await createDelivery(system), "queued");
        addDelivery(model, await createUnlocatedDelivery(system), "received");
        system.steps.push("create A, and B without coordinates");
        return system;
      },
      // Reads all deliveries, because a step of another sequence may have changed one after its last step.
      async finish({ deliveries }, system) {
        await eachAtOnce(deliveries, (known) => expectUnchanged(system, known));
      },
      runs: 7,
      concurrency: 7,
      maxSteps: 24,
      steps: { min: 60, max: 90 },
    });
  },
});

interface ListSystem extends LifecycleSystem {
  readonly reader: ListReader;
}

/** The wait for the list while a failed sequence is simplified: without one, an example may show only a legal lag. */
const SIMPLIFYING_LAG_MS = 1_000;

const PAGE_CLAUSES: readonly ClauseId[] = [clause["LIST-4"]];

const readPage = fc.constant(
  command<ListSystem>("read a page", async (_, { reader }) => {
    await attributeStepFailures(PAGE_CLAUSES, () => reader.readPage());
  }),
);

/** The steps of other checks as steps that only support this one. */
const supportingCommands = validCommands.map((kind) =>
  kind.map(({ check: isPossible, run }) => ({
    check: isPossible,
    run: (model: LifecycleModel, system: LifecycleSystem) => auxiliaryStep(async () => run(model, system)),
  })),
);

const paged = check({
  id: "models.paging",
  title:
    "paging with any limit while deliveries change returns the latest state of each, oldest change first",
  clauses: [clause["LIST-4"], clause["LIST-6"], clause["LIST-7"], clause["LIST-9"]],
  isolation: "own-integrator",
  async run(context) {
    const { store } = context;
    // The reader must read while deliveries change, so its requests don't wait for the list.
    const api = context.api.with({ beforeSending: async () => {} });
    const { external_store_id } = await store();
    let timeoutMs = LIST_LAG_MS;
    await runSequences<ListSystem, number>(context, {
      commands: [...supportingCommands, readPage, readPage],
      setting: fc.integer({ min: 1, max: 7 }),
      async start(model, system, limit) {
        const first = await createDelivery(system);
        addDelivery(model, first, "queued");
        addDelivery(model, await createUnlocatedDelivery(system), "received");
        system.steps.push(`create A, and B without coordinates, to be read in pages of ${limit}`);
        // Starts at the end of the list, behind the deliveries of other checks and sequences.
        const reader = new ListReader(api, { ...sinceCreationOf(first, external_store_id), limit });
        await reader.readToEnd();
        return { ...system, reader };
      },
      async finish({ deliveries }, { reader, steps }) {
        const current = deliveries.map(({ shown }) => shown);
        steps.push("read the remaining pages");
        // After a timeout, later sequences only simplify the failed one, and wait less.
        if (!(await attributeStepFailures(PAGE_CLAUSES, () => reader.readUntilListed(current, timeoutMs))))
          timeoutMs = SIMPLIFYING_LAG_MS;
        attributeFailures([clause["LIST-4"]], () =>
          expectListed(reader.pages, current, "deliveries of the sequence"),
        );
        for (const known of deliveries) {
          const listed = reader.latest.get(known.id);
          if (!listed) continue;
          attributeFailures([clause["LIST-7"]], () => {
            expectLatestVersionListed(known.name, listed, known.version);
            expectToMatchModel(known, listed);
          });
        }
      },
      runs: 5,
      maxSteps: 24,
      steps: { min: 45, max: 75 },
    });
  },
});

/** Enough time for events out of order: the sentinel event arrives after all events in order. */
const OUT_OF_ORDER_MS = 1_000;

const withCourier = check({
  id: "models.life-with-a-courier",
  title:
    "after random courier actions, changes and cancellations, the delivery and its events show exactly the accepted ones",
  clauses: [
    clause["DLV-9"],
    clause["DLV-49"],
    clause["DLV-50"],
    clause["DLV-101"],
    clause["STATE-11"],
    clause["STATE-12"],
    clause["STATE-13"],
    clause["STATE-14"],
    clause["STATE-15"],
    clause["STATE-16"],
    clause["STATE-17"],
    clause["STATE-23"],
    clause["STATE-24"],
    clause["STATE-26"],
    clause["STATE-37"],
    clause["STATE-49"],
    clause["EVENT-14"],
    clause["EVENT-15"],
    clause["EVENT-16"],
    clause["EVENT-17"],
    clause["EVENT-18"],
    clause["EVENT-19"],
    clause["EVENT-20"],
    clause["EVENT-21"],
    clause["EMIT-9"],
  ],
  needs: ["courier", "receiver"],
  async run(context) {
    const { inbox, waitForSentinelEvent } = await context.subscribe();
    let timeoutMs = ARRIVAL_MS;
    await runSequences<CourierSystem, boolean>(context, {
      commands: [
        ...courierCommands,
        changeText,
        changeText,
        locate,
        cancel,
        cancel,
        lateChange,
        lateChange,
        lateCancellation,
        lateCancellation,
        readAgain,
      ],
      setting: fc.boolean(),
      async start(model, base, hasSecond) {
        const system = {
          ...base,
          performCourierAction: context.performCourierAction,
          expectMore: expectCourierFields,
        };
        addDelivery(model, await createDelivery(system), "queued");
        if (hasSecond) addDelivery(model, await createUnlocatedDelivery(system), "received");
        system.steps.push(hasSecond ? "create A, and B without coordinates" : "create A");
        return system;
      },
      async finish(model, system) {
        const { deliveries } = model;
        await expectAllUnchanged(system, model);
        await waitForSentinelEvent();
        // After a missing event, later sequences wait only for events out of order.
        if (!(await waitUntilReported(inbox, deliveries, timeoutMs))) timeoutMs = OUT_OF_ORDER_MS;
        for (const known of deliveries) expectEvents(inbox, known);
      },
      runs: 20,
      concurrency: 20,
      maxSteps: 30,
      steps: { min: 255, max: 315 },
    });
  },
});

export const modelsChecks: readonly Check[] = [withoutCourier, withCourier, paged];
