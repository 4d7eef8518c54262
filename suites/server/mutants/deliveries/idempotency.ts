import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { isObject, type JsonObject } from "../../../../reference-server/contract/json.ts";
import type { Delivery } from "../../../../reference-server/domain/model.ts";
import { DomainError, rejected } from "../../../../reference-server/errors.ts";
import type { Call } from "../../../../reference-server/operations/operation.ts";
import { forEachElement } from "../../../core/for-each-element.ts";
import { breaking } from "../../../core/mutation/breaks.ts";
import type { Mutants, Mutate } from "../mutant.ts";
import { compose } from "../operators/compose.ts";
import { replacePage } from "../operators/deliveries.ts";
import { alterCreation, type Created, OVERLAP_MS, onRefusal } from "../operators/operations.ts";

/** A server with another schema for Idempotency-Key. A value of undefined removes the keyword. */
const alterKeySchema =
  (keywords: JsonObject, required = true): Mutate =>
  (deps) => {
    const document = structuredClone(deps.document);
    const { parameters } = document.components;
    const parameter = isObject(parameters) ? parameters.IdempotencyKey : undefined;
    if (!isObject(parameter)) throw new Error("the document has no parameter IdempotencyKey");
    parameter.required = required;
    parameter.schema = { ...(isObject(parameter.schema) ? parameter.schema : {}), ...keywords };
    return { ...deps, document };
  };

const KEY_HEADER = "Idempotency-Key";

type CreateCall = Call<"createDelivery">;

const cutKeys = (length: number): Mutate =>
  alterCreation((call, create) =>
    create({
      ...call,
      headers: { ...call.headers, [KEY_HEADER]: call.headers[KEY_HEADER].slice(0, length) },
    }),
  );

/** The delivery that was created with a request's key. Undefined for a new key. */
async function deliveryOfKey({ deps, integrator, headers, tokenHash }: CreateCall) {
  const scope = deps.idempotency.scope(integrator, tokenHash);
  const known = await deps.transaction((tx) => deps.records.idempotency.find(tx, scope, headers[KEY_HEADER]));
  const { deliveries } = deps.records;
  return known && (await deliveries.find(deps.database, integrator.id, known.delivery_id));
}

/** A server that forgets a key and its external_ref once the delivery satisfies a condition. */
const forgetKeyIf = (applies: (before: Delivery) => boolean): Mutate =>
  alterCreation(async (call, create) => {
    const { deps, body } = call;
    const { external_ref } = body;
    const before = await deliveryOfKey(call);
    if (before === undefined || !applies(before)) return create(call);
    const reply = await create({
      ...call,
      headers: { [KEY_HEADER]: randomUUID() },
      body: { ...body, external_ref: deps.ids.uuid() },
    });
    return { ...reply, body: { ...reply.body, external_ref } };
  });

/** A server that applies the rules for new orders to repetitions. */
const refuseRepeats = (
  refusal: (before: Delivery, call: CreateCall) => Promise<DomainError | undefined>,
): Mutate =>
  alterCreation(async (call, create) => {
    const before = await deliveryOfKey(call);
    const refused = before && (await refusal(before, call));
    if (refused) throw refused;
    return create(call);
  });

type Create = Parameters<Parameters<typeof alterCreation>[0]>[1];

/** Answers a request in another way while the first request with its key is processed. */
const duringTheFirst =
  (answer: (call: CreateCall, create: Create, first: Promise<Created>) => Promise<Created>): Mutate =>
  (deps) => {
    const pending = new Map<string, Promise<Created>>();
    return alterCreation(async (call, create) => {
      const key = call.headers[KEY_HEADER];
      const first = pending.get(key);
      if (first) return answer(call, create, first);
      const creation = pause(OVERLAP_MS).then(() => create(call));
      pending.set(key, creation);
      return creation.finally(() => pending.delete(key));
    })(deps);
  };

export const idempotencyMutants: Mutants = {
  "idempotency-forgets": {
    fault: "idempotency keys are ignored",
    breaks: [{ clause: "IDEM-5" }],
    caughtBy: ["idempotency.same-key-same-body"],
    mutate: (deps) => ({
      ...deps,
      records: {
        ...deps.records,
        idempotency: { ...deps.records.idempotency, insert: async () => {} },
      },
    }),
  },
  "idempotency-forgets-after-a-repeat": {
    fault: "an idempotency key is forgotten after one repeat",
    breaks: breaking("the second", "IDEM-5"),
    caughtBy: ["idempotency.same-key-same-body"],
    mutate: (deps) => {
      const repeated = new Set<string>();
      return forgetKeyIf(({ id }) => repeated.has(id) || !repeated.add(id))(deps);
    },
  },
  "idempotency-forgets-unlocated-deliveries": {
    fault: "idempotency keys of orders without coordinates are ignored",
    breaks: breaking("of an order without coordinates", "IDEM-5"),
    caughtBy: ["idempotency.same-key-same-body"],
    mutate: forgetKeyIf(({ status }) => status === "RECEIVED"),
  },
  "idempotency-forgets-scheduled-deliveries": {
    fault: "idempotency keys of scheduled orders are ignored",
    breaks: breaking("of a scheduled order", "IDEM-5"),
    caughtBy: ["idempotency.same-key-same-body"],
    mutate: forgetKeyIf(({ scheduled_for }) => scheduled_for !== null),
  },
  "idempotency-repeat-answers-201": {
    fault: "a repeated creation returns 201",
    breaks: [{ clause: "IDEM-5" }],
    caughtBy: ["idempotency.same-key-same-body"],
    mutate: alterCreation(async (call, create) => ({ ...(await create(call)), status: 201 })),
  },
  "idempotency-repeat-hides-the-pin": {
    fault: "a repeated creation returns the delivery without its delivery_pin",
    breaks: breaking(["the first", "the second"], "IDEM-6"),
    caughtBy: ["idempotency.same-key-same-body"],
    mutate: alterCreation(async (call, create) => {
      const reply = await create(call);
      return reply.status === 200 ? { ...reply, body: { ...reply.body, delivery_pin: null } } : reply;
    }),
  },
  "idempotency-forgets-cancelled-deliveries": {
    fault: "a cancellation frees the delivery's idempotency key and external_ref",
    breaks: [{ clause: "IDEM-5" }],
    caughtBy: ["idempotency.repeat-after-cancellation"],
    mutate: forgetKeyIf(({ cancelled_at }) => cancelled_at !== null),
  },
  "idempotency-key-of-a-cancelled-delivery-is-free": {
    fault: "the idempotency key of a cancelled delivery can create another delivery",
    breaks: [{ clause: "IDEM-11" }],
    caughtBy: ["idempotency.repeat-after-cancellation"],
    mutate: alterCreation(async (call, create) => {
      const isCancelled = (await deliveryOfKey(call))?.cancelled_at != null;
      if (!isCancelled) return create(call);
      return onRefusal("IDEMPOTENCY_CAKISMA", create(call), () =>
        create({ ...call, headers: { ...call.headers, [KEY_HEADER]: randomUUID() } }),
      );
    }),
  },
  "idempotency-repeat-shows-another-id": {
    fault: "a repeated creation returns the delivery with a new id",
    breaks: [{ clause: "IDEM-6" }],
    mutate: alterCreation(async (call, create) => {
      const reply = await create(call);
      return reply.status === 200 ? { ...reply, body: { ...reply.body, id: randomUUID() } } : reply;
    }),
  },
  "idempotency-repeat-adds-one-second": {
    fault: "a repeated creation returns the first delivery, but creates a second one",
    breaks: [{ clause: "IDEM-7" }],
    mutate: (deps) => {
      const copies = new Map<string, string>();
      const repeated = alterCreation(async (call, create) => {
        const reply = await create(call);
        if (reply.status === 200) copies.set(reply.body.id, randomUUID());
        return reply;
      });
      const listed = replacePage(
        () => ({}),
        (rows) =>
          rows.flatMap((row) => [row, ...[copies.get(row.id) ?? []].flat().map((id) => ({ ...row, id }))]),
      );
      return compose(repeated, listed)(deps);
    },
  },
  "idempotency-repeat-needs-an-active-store": {
    fault: "a repeated creation is refused while the store is suspended",
    breaks: [{ clause: "IDEM-15" }],
    mutate: refuseRepeats(async (before, { deps }) => {
      const store = await deps.records.stores.findById(deps.database, before.store_id);
      return store?.status === "ACTIVE" ? undefined : new DomainError("MAGAZA_PASIF");
    }),
  },
  "idempotency-repeat-after-a-repeated-registration-is-refused": {
    fault: "a repeated creation is refused after its store was registered again",
    breaks: [{ clause: "IDEM-5" }],
    caughtBy: ["stores.repeat"],
    mutate: refuseRepeats(async (before, { deps }) => {
      const store = await deps.records.stores.findById(deps.database, before.store_id);
      const isChanged = store !== undefined && store.updated_at > before.created_at;
      return isChanged ? new DomainError("EXTERNAL_REF_TEKRAR") : undefined;
    }),
  },
  "idempotency-repeat-requires-a-future-schedule": {
    fault: "a repeated creation is refused once its scheduled_for has passed",
    breaks: [{ clause: "IDEM-16" }],
    mutate: refuseRepeats(async ({ scheduled_for }, { now }) =>
      scheduled_for !== null && scheduled_for < now
        ? rejected("scheduled_for", "geçmişte kalan bir zaman")
        : undefined,
    ),
  },
  "idempotency-forgets-changed-deliveries": {
    fault: "a change frees the delivery's idempotency key and external_ref",
    breaks: [{ clause: "IDEM-5" }],
    caughtBy: ["idempotency.repeat-after-a-change"],
    mutate: forgetKeyIf(({ version }) => version > 1),
  },
  "idempotency-repeat-after-a-new-address-is-refused": {
    fault: "a repeated creation is compared with the delivery's current address",
    breaks: [{ clause: "IDEM-5", case: "dropoff" }],
    caughtBy: ["idempotency.repeat-after-a-change"],
    mutate: refuseRepeats(async ({ dropoff }, { body }) =>
      dropoff.address === body.dropoff.text ? undefined : new DomainError("IDEMPOTENCY_CAKISMA"),
    ),
  },
  "idempotency-repeat-after-a-new-customer-is-refused": {
    fault: "a repeated creation is compared with the delivery's current customer",
    breaks: [{ clause: "IDEM-5", case: "customer.name" }],
    caughtBy: ["idempotency.repeat-after-a-change"],
    mutate: refuseRepeats(async ({ customer }, { body }) =>
      customer.name === (body.customer?.name ?? null) ? undefined : new DomainError("IDEMPOTENCY_CAKISMA"),
    ),
  },
  "idempotency-conflict-creates": {
    fault: "a creation refused with IDEMPOTENCY_CAKISMA creates a delivery",
    breaks: [{ clause: "IDEM-12" }],
    caughtBy: ["idempotency.same-key-other-body"],
    mutate: alterCreation(async (call, create) => {
      try {
        return await create(call);
      } catch (error) {
        if (error instanceof DomainError && error.code === "IDEMPOTENCY_CAKISMA") {
          await create({ ...call, headers: { ...call.headers, [KEY_HEADER]: randomUUID() } });
        }
        throw error;
      }
    }),
  },
  "idempotency-conflict-takes-the-key": {
    fault: "a creation refused with IDEMPOTENCY_CAKISMA replaces the body that is stored for the key",
    breaks: [{ clause: "IDEM-5" }],
    caughtBy: ["idempotency.same-key-other-body"],
    mutate: alterCreation((call, create) =>
      onRefusal("IDEMPOTENCY_CAKISMA", create(call), async (refusal) => {
        const { deps, integrator, tokenHash, headers, body } = call;
        await deps.database
          .updateTable("idempotency_keys")
          .set({ fingerprint: deps.idempotency.fingerprint(body) })
          .where("scope", "=", deps.idempotency.scope(integrator, tokenHash))
          .where("key", "=", headers[KEY_HEADER])
          .execute();
        throw refusal;
      }),
    ),
  },
  "idempotency-conflict-frees-the-key": {
    fault: "a creation refused with IDEMPOTENCY_CAKISMA makes the server forget the key",
    breaks: [{ clause: "IDEM-5" }],
    caughtBy: ["idempotency.same-key-other-body"],
    mutate: alterCreation((call, create) =>
      onRefusal("IDEMPOTENCY_CAKISMA", create(call), async (refusal) => {
        const { deps, integrator, tokenHash, headers } = call;
        await deps.database
          .deleteFrom("idempotency_keys")
          .where("scope", "=", deps.idempotency.scope(integrator, tokenHash))
          .where("key", "=", headers[KEY_HEADER])
          .execute();
        throw refusal;
      }),
    ),
  },
  "idempotency-conflict-overwrites-the-notes": {
    fault: "a creation refused with IDEMPOTENCY_CAKISMA overwrites the notes of the existing delivery",
    breaks: [{ clause: "IDEM-12" }],
    caughtBy: ["idempotency.nearly-same-body"],
    mutate: alterCreation((call, create) =>
      onRefusal("IDEMPOTENCY_CAKISMA", create(call), async (refusal) => {
        const { deliveries } = call.deps.records;
        const { external_ref } = call.body;
        const query = { external_ref, rows: 1 };
        const [first] = await deliveries.page(call.deps.database, call.integrator.id, query);
        if (first) {
          const change = { path: { id: first.id }, query: {}, headers: {}, body: { notes: "other" } };
          await call.deps.operations.updateDelivery({ ...call, ...change });
        }
        throw refusal;
      }),
    ),
  },
  "idempotency-loses-the-race": {
    fault: "a repeat during the first request returns 201",
    breaks: [{ clause: "IDEM-10" }],
    mutate: duringTheFirst(async (call, create) => ({ ...(await create(call)), status: 201 })),
  },
  "idempotency-race-answers-with-the-first": {
    fault: "a different body during the first request with its key returns 200 with the first delivery",
    breaks: [{ clause: "IDEM-11" }],
    caughtBy: ["idempotency.concurrent-other-bodies"],
    mutate: duringTheFirst(async (_, __, first) => ({ ...(await first), status: 200 })),
  },
  "idempotency-race-creates-refused-orders": {
    fault: "a different body during the first request with its key is refused, but creates a delivery",
    breaks: [{ clause: "IDEM-12" }],
    caughtBy: ["idempotency.concurrent-other-bodies"],
    mutate: duringTheFirst(async (call, create) => {
      await create({ ...call, headers: { ...call.headers, [KEY_HEADER]: randomUUID() } });
      throw new DomainError("IDEMPOTENCY_CAKISMA");
    }),
  },
  "idempotency-scoped-to-the-token": {
    fault: "idempotency keys belong to the token instead of the integrator",
    breaks: [{ clause: "IDEM-9" }],
    mutate: (deps) => ({
      ...deps,
      idempotency: { ...deps.idempotency, scope: (_, tokenHash) => tokenHash },
    }),
  },
  "idempotency-key-optional": {
    fault: "Idempotency-Key is optional",
    breaks: [{ clause: "IDEM-1", case: "no Idempotency-Key" }],
    mutate: compose(
      alterKeySchema({}, false),
      alterCreation((call, create) =>
        create({
          ...call,
          headers: { ...call.headers, [KEY_HEADER]: call.headers[KEY_HEADER] ?? randomUUID() },
        }),
      ),
    ),
  },
  "idempotency-key-of-7": {
    fault: "Idempotency-Key may have 7 characters",
    breaks: [{ clause: "IDEM-2", case: "an Idempotency-Key of 7 characters" }],
    mutate: alterKeySchema({ minLength: 7 }),
  },
  "idempotency-key-of-129": {
    fault: "Idempotency-Key may have 129 characters",
    breaks: [{ clause: "IDEM-3", case: "an Idempotency-Key of 129 characters" }],
    mutate: alterKeySchema({ maxLength: 129 }),
  },
  "idempotency-key-refused-with-428": {
    fault: "a creation without Idempotency-Key returns 428",
    breaks: [{ clause: "IDEM-4" }],
    mutate: compose(
      alterKeySchema({}, false),
      (deps) => ({
        ...deps,
        errors: { ...deps.errors, DURUM_UYGUN_DEGIL: { ...deps.errors.DURUM_UYGUN_DEGIL, status: 428 } },
      }),
      alterCreation((call, create) => {
        if (call.headers[KEY_HEADER] === undefined) throw new DomainError("DURUM_UYGUN_DEGIL");
        return create(call);
      }),
    ),
  },
  "idempotency-key-of-8-refused": {
    fault: "Idempotency-Key must have more than 8 characters",
    breaks: [{ clause: "LIMIT-19", case: "of 8 characters" }],
    mutate: alterKeySchema({ minLength: 9 }),
  },
  "idempotency-key-of-128-refused": {
    fault: "Idempotency-Key must have fewer than 128 characters",
    breaks: [{ clause: "LIMIT-20", case: "of 128 characters" }],
    mutate: alterKeySchema({ maxLength: 127 }),
  },
  "idempotency-key-cut-short": {
    fault: "only the beginning of an Idempotency-Key is compared",
    breaks: [{ clause: "IDEM-13" }],
    mutate: cutKeys(40),
  },
  ...forEachElement(
    ["assigned", "picked-up", "delivered"] as const,
    (state) => `idempotency-forgets-${state}-deliveries`,
    (state) => ({
      fault: `a repeat creates a second delivery once the first is ${state}`,
      breaks: breaking(state.replace("-", "_"), "IDEM-17"),
      mutate: forgetKeyIf(({ status }) => status === state.replace("-", "_").toUpperCase()),
    }),
  ),
  "idempotency-key-cut-at-120": {
    fault: "only the first 120 characters of an Idempotency-Key are compared",
    breaks: [{ clause: "IDEM-13" }],
    mutate: cutKeys(120),
  },
};
