import { type ClauseId, clause } from "../../../../openapi/generated/clauses.ts";
import { poll } from "../../../core/clock.ts";
import type { OperationId, Schemas } from "../../../core/contract/document.ts";
import { type ElementOf, elementsOf } from "../../../core/contract/element-sets.ts";
import { cases, casesFrom, ofSet } from "../../../core/grading/expectations/each-element.ts";
import { expectThat } from "../../../core/grading/expectations/expect.ts";
import { attributeFailures } from "../../../core/grading/failures/attributed-to.ts";
import { CheckFailure } from "../../../core/grading/failures/failure.ts";
import { isSuccess } from "../../../core/responses.ts";
import { type BaseContext, type Check, check } from "../../check.ts";
import type { ApiResponse } from "../../session/http/api-response.ts";
import { storesOf } from "../../session/lists/list-entries.ts";
import { LIST_LAG_MS } from "../../session/lists/list-readings.ts";
import { drawnUuid } from "../../session/sample-data/drawn.ts";
import { newStoreRegistration } from "../../session/stores/stores.ts";
import { expectOnlyDelivery } from "../../support/assertions.ts";
import {
  FILTER_MARGIN_MS,
  type ListQuery,
  shiftInstant,
  waitUntilListed,
} from "../../support/lists/delivery-list.ts";
import { createDelivery, readDelivery } from "../../support/orders/deliveries.ts";
import { near } from "../../support/orders/orders.ts";
import { expectQuote, quoteRequest } from "../../support/service-area.ts";
import { isolationSameNamesChecks } from "./isolation-same-names.ts";

/** The codes for a missing resource. A server may use any of these codes (OPEN-20). */
const ABSENT = ["BULUNAMADI", "MAGAZA_YOK"] as const;

/**
 * The clause that requires 404 for another integrator's resource, and the clause that requires the same response as
 * for a resource that doesn't exist.
 */
interface AbsenceClauses extends Pick<BaseContext, "attributeTo"> {
  readonly notFound: ClauseId;
  readonly sameResponse: ClauseId;
}

/** Asserts that another integrator's resource gets the same 404 and code as a missing resource. */
async function expectAsAbsent(
  { attributeTo, notFound, sameResponse }: AbsenceClauses,
  send: (name: string) => Promise<ApiResponse<OperationId>>,
  foreignId: string,
  unknownId: string,
): Promise<void> {
  attributeTo(notFound);
  const response = await send(foreignId);
  const { operation } = response.exchange;
  const refusal = isSuccess(response)
    ? attributeFailures([notFound], () => refusalOf(response))
    : refusalOf(response);
  attributeTo(sameResponse);
  expectThat(`the response to ${operation} for another integrator's resource`, refusal).is(
    refusalOf(await send(unknownId)),
  );
}

const refusalOf = (response: ApiResponse<OperationId>) => {
  const { status, code } = response.expectError(404, ...ABSENT);
  return { status, code };
};

const readingADelivery = check({
  id: "isolation.reading-a-delivery",
  title: "a request for another integrator's delivery gets the same response as one for an unknown id",
  clauses: [clause["ISO-1"], clause["ISO-7"]],
  needs: ["second-integrator"],
  async run({ api, attributeTo, recordCoverage, order, other }) {
    recordCoverage("operations-on-a-delivery", ["getDelivery"]);
    const clauses = { attributeTo, notFound: clause["ISO-1"], sameResponse: clause["ISO-7"] };
    const { id } = (await api.createDelivery(await order())).body(201);
    const read = (deliveryId: string) => other.api.getDelivery(deliveryId);
    await expectAsAbsent(clauses, read, id, drawnUuid());
    expectThat("the id of the delivery, read by its owner", (await api.getDelivery(id)).body(200).id).is(id);
    (await api.cancelDelivery(id)).expectSuccess();
    await expectAsAbsent(clauses, read, id, drawnUuid());
    expectThat(
      "the id of the cancelled delivery, read by its owner",
      (await api.getDelivery(id)).body(200).id,
    ).is(id);
  },
});

const changingADelivery = check({
  id: "isolation.changing-a-delivery",
  title:
    "changing or cancelling another integrator's delivery gets the same response as an unknown id, and has no effect",
  clauses: [clause["ISO-2"], clause["ISO-3"], clause["ISO-7"], clause["ISO-8"]],
  needs: ["second-integrator"],
  async run({ api, attributeTo, recordCoverage, order, other }) {
    recordCoverage("operations-on-a-delivery", ["updateDelivery", "cancelDelivery"]);
    const { id } = (await api.createDelivery(await order({ notes: "ours" }))).body(201);
    const sameResponse = clause["ISO-7"];
    const change = (deliveryId: string) => other.api.updateDelivery(deliveryId, { notes: "theirs" });
    await expectAsAbsent({ attributeTo, notFound: clause["ISO-2"], sameResponse }, change, id, drawnUuid());
    const cancel = (deliveryId: string) => other.api.cancelDelivery(deliveryId);
    await expectAsAbsent({ attributeTo, notFound: clause["ISO-3"], sameResponse }, cancel, id, drawnUuid());
    attributeTo(clause["ISO-8"]);
    const after = (await api.getDelivery(id)).body(200);
    attributeFailures([clause["ISO-8"]], () => {
      expectThat({ field: "notes", where: "after another integrator's PATCH" }, after.notes).is("ours");
      expectThat(
        { field: "cancelled_at", where: "after another integrator's cancellation" },
        after.cancelled_at ?? null,
      ).is(null);
    });
    (await api.updateDelivery(id, { notes: "the first integrator's delivery, read again" })).expectSuccess();
    (await api.cancelDelivery(id)).expectSuccess();
    // For another integrator, a cancelled delivery must look missing too, not final.
    await expectAsAbsent({ attributeTo, notFound: clause["ISO-3"], sameResponse }, cancel, id, drawnUuid());
  },
});

const withACourier = check({
  id: "isolation.delivery-with-a-courier",
  title:
    "reading, changing or cancelling another integrator's delivery that a courier has, or listing its photos, gets 404",
  clauses: [clause["ISO-22"]],
  needs: ["second-integrator", "courier"],
  async run(context) {
    const { id } = await createDelivery(context);
    await context.performCourierActionsUpTo(id, "picked_up");
    const { api } = context.other;
    const [path, rule] = [{ id }, "another integrator's delivery"];
    const requests = {
      getDelivery: () => api.sendInvalid("getDelivery", rule, { path }),
      updateDelivery: () => api.sendInvalid("updateDelivery", rule, { path, body: { notes: "theirs" } }),
      cancelDelivery: () => api.sendInvalid("cancelDelivery", rule, { path, body: { reason: "Yok" } }),
      listProofs: () => api.sendInvalid("listProofs", rule, { path }),
    };
    await context.each(casesFrom("operations", requests), async ([, send]) => {
      const response = await send();
      attributeFailures([clause["ISO-22"]], () => response.expectError(404));
    });
    expectThat("the id of the delivery, read by its owner", (await readDelivery(context.api, id)).id).is(id);
  },
});

/** For each operation that names a store, the clause requiring 404 for another integrator's store. */
const ABSENT_STORE_CLAUSES: Readonly<Record<ElementOf<"operations-that-name-a-store">, ClauseId>> = {
  getStore: clause["ISO-4"],
  createDelivery: clause["ISO-5"],
  createQuote: clause["ISO-6"],
};

type Request = (external_store_id: string) => Promise<ApiResponse<OperationId>>;

const otherIntegratorsStore = check({
  id: "isolation.other-integrators-store",
  title:
    "requests to read, order from or get a quote for another integrator's store find no store, and registering it without a code is refused",
  clauses: [clause["ISO-4"], clause["ISO-5"], clause["ISO-6"], clause["ISO-18"], clause["ISO-13"]],
  needs: ["second-integrator"],
  async run({ api, attributeTo, each, order, other, store, point }) {
    const foreignStore = await store();
    const body = await order();
    const unknownId = drawnUuid();
    const requests: Readonly<Record<ElementOf<"operations-that-name-a-store">, Request>> = {
      getStore: (external_store_id) => other.api.getStore(external_store_id),
      createDelivery: (external_store_id) =>
        other.api.createDelivery({ ...body, store: { external_store_id } }),
      createQuote: (external_store_id) =>
        other.api.createQuote(quoteRequest({ external_store_id }, near(point))),
    };
    await each(ofSet("operations-that-name-a-store"), (operation) =>
      expectAsAbsent(
        { attributeTo, notFound: ABSENT_STORE_CLAUSES[operation], sameResponse: clause["ISO-18"] },
        requests[operation],
        foreignStore.external_store_id,
        unknownId,
      ),
    );
    // Positive control: the owner's requests succeed, and no refused request has created a delivery.
    attributeTo(ABSENT_STORE_CLAUSES.getStore);
    (await api.getStore(foreignStore.external_store_id)).body(200);
    attributeTo(ABSENT_STORE_CLAUSES.createDelivery);
    await expectOnlyDelivery(api, (await api.createDelivery(body)).body(201));
    attributeTo(ABSENT_STORE_CLAUSES.createQuote);
    expectQuote(await api.createQuote(quoteRequest(foreignStore, near(point))));
    attributeTo(clause["ISO-13"]);
    const registration = newStoreRegistration(point, undefined, {
      external_store_id: foreignStore.external_store_id,
      name: `Başka Lokanta ${unknownId}`,
    });
    const rule = "another integrator's external_store_id without a pairing_code";
    const refused = await other.api.sendInvalid("registerStore", rule, { body: registration });
    // The code may be BASKA_POS (OPEN-107).
    refused.expectError([400, 409]);
    const { name } = (await api.getStore(foreignStore.external_store_id)).body(200);
    expectThat({ field: "name", where: "of the other integrator's store" }, name).isNot(registration.name);
  },
});

/** Filters that match a delivery. The list without a filter may be too long to read. */
function filtersFor(delivery: Schemas["Delivery"], external_store_id: string): readonly ListQuery[] {
  const { external_ref, created_at, updated_at } = delivery;
  const window = {
    created_from: shiftInstant(created_at, -FILTER_MARGIN_MS),
    created_to: shiftInstant(created_at, FILTER_MARGIN_MS),
  };
  const changed = { from: shiftInstant(updated_at, -FILTER_MARGIN_MS), ...window };
  return [{ external_ref }, window, changed].flatMap((filter) => [filter, { ...filter, external_store_id }]);
}

const listOfDeliveries = check({
  id: "isolation.list-of-deliveries",
  title: "the list of deliveries doesn't contain another integrator's deliveries, with any filter",
  clauses: [clause["ISO-9"]],
  needs: ["second-integrator"],
  async run({ api, recordCoverage, each, order, other, store }) {
    recordCoverage("filters-of-the-list", elementsOf("filters-of-the-list"));
    const ours = (await api.createDelivery(await order())).body(201);
    const filters = filtersFor(ours, (await store()).external_store_id);
    const nameOf = (filter: ListQuery) => Object.keys(filter).join(" and ");
    await each(cases("list filters", filters, nameOf), async (filter) => {
      const shown = await waitUntilListed(api, filter, [ours]);
      if (!shown)
        throw new CheckFailure({
          subject: `the new delivery in its owner's list, filtered by ${JSON.stringify(filter)}`,
          relation: "to arrive",
        });
      for (const sent of [filter, { ...filter, status: "RECEIVED,QUEUED" }]) {
        const response = await other.api.listDeliveries({ ...sent, limit: 200 });
        // A server may refuse another integrator's store as a filter (OPEN-143).
        const refused = response.status === 404 && sent.external_store_id !== undefined;
        const found = refused ? [] : response.body(200).items;
        const theirs = found.filter(({ store_id }) => store_id === ours.store_id);
        attributeFailures([clause["ISO-9"]], () =>
          expectThat(
            `the first integrator's deliveries in the second integrator's list by ${JSON.stringify(sent)}`,
            theirs,
          ).isEmpty(),
        );
      }
    });
    // The first page. It may be one of many.
    const unfiltered = (await other.api.listDeliveries({ limit: 200 })).body(200).items;
    const theirs = unfiltered.filter(({ store_id }) => store_id === ours.store_id);
    attributeFailures([clause["ISO-9"]], () =>
      expectThat(
        "the first integrator's deliveries in the second integrator's list without a filter",
        theirs,
      ).isEmpty(),
    );
  },
});

const foreignCursor = check({
  id: "isolation.foreign-cursor",
  title:
    "another integrator's cursor doesn't return that integrator's deliveries, or is refused like an invalid cursor",
  clauses: [clause["ISO-9"], clause["ISO-21"]],
  needs: ["second-integrator"],
  async run({ api, order, other }) {
    const first = (await api.createDelivery(await order())).body(201);
    (await api.createDelivery(await order())).body(201);
    const filter = { created_from: shiftInstant(first.created_at, -FILTER_MARGIN_MS), limit: 1 };
    const cursor = await poll(
      async () => {
        const page = (await api.listDeliveries(filter)).body(200);
        return page.has_more ? (page.next_cursor ?? undefined)?.toString() : undefined;
      },
      { within: LIST_LAG_MS },
    );
    expectThat({ field: "next_cursor", where: "of a page before the last" }, cursor).satisfies(
      "text",
      typeof cursor === "string",
    );
    // A server may refuse, ignore or accept another integrator's cursor (OPEN-145), but must list only the
    // reader's deliveries.
    const response = await other.api.listDeliveries({ ...filter, since: cursor ?? "" });
    if (response.status !== 200) response.expectError(400, "IMLEC_GECERSIZ");
    const found = response.status === 200 ? response.body(200).items : [];
    for (const { id } of found) {
      const shown = await other.api.getDelivery(id);
      attributeFailures([clause["ISO-9"]], () => shown.body(200));
    }
  },
});

const storesAndAreas = check({
  id: "isolation.stores-and-areas",
  title: "the lists of stores and delivery areas don't contain another integrator's stores or areas",
  clauses: [clause["ISO-10"], clause["ISO-11"]],
  needs: ["second-integrator"],
  async run({ api, store, other }) {
    const [ours, theirs] = [await store(), await other.store()];
    const stores = storesOf(await api.call("listStores")).map(({ id }) => id);
    expectThat("the listed stores", stores).includes(ours.id);
    const areas = (await api.call("listDeliveryAreas")).body(200).items.map(({ store_id }) => store_id);
    attributeFailures([clause["ISO-10"]], () =>
      expectThat("the listed stores", stores).doesNotInclude(theirs.id),
    );
    attributeFailures([clause["ISO-11"]], () =>
      expectThat("the stores of the listed areas", areas).doesNotInclude(theirs.id),
    );
  },
});

export const isolationChecks: readonly Check[] = [
  readingADelivery,
  changingADelivery,
  withACourier,
  otherIntegratorsStore,
  listOfDeliveries,
  foreignCursor,
  storesAndAreas,
  ...isolationSameNamesChecks,
];
