import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { isObject, type JsonObject } from "../../../../reference-server/contract/json.ts";
import type { Delivery } from "../../../../reference-server/domain/model.ts";
import { DomainError, rejected } from "../../../../reference-server/errors.ts";
import type { Call } from "../../../../reference-server/operations/operation.ts";
import type { Schemas } from "../../../core/contract/document.ts";
import { breaking } from "../../../core/mutation/breaks.ts";
import type { Mutant, Mutate } from "../mutant.ts";
import { compose } from "../operators/compose.ts";
import { replacePage } from "../operators/deliveries.ts";
import { alterCreation, type Created, OVERLAP_MS, onRefusal } from "../operators/operations.ts";

/** A server with another schema for the key; undefined removes a keyword. */
const key =
  (demands: JsonObject, required = true): Mutate =>
  (deps) => {
    const document = structuredClone(deps.document);
    const { parameters } = document.components;
    const parameter = isObject(parameters) ? parameters.IdempotencyKey : undefined;
    if (!isObject(parameter)) throw new Error("the document has no parameter IdempotencyKey");
    parameter.required = required;
    parameter.schema = { ...(isObject(parameter.schema) ? parameter.schema : {}), ...demands };
    return { ...deps, document };
  };

const KEY = "Idempotency-Key";

type CreateCall = Call<"createDelivery">;

/** A server that compares only parts of orders. */
const ordersCompared =
  (what: (body: Schemas["NewDelivery"]) => unknown): Mutate =>
  (deps) => ({
    ...deps,
    operations: {
      ...deps.operations,
      createDelivery: (call) =>
        deps.operations.createDelivery({
          ...call,
          deps: {
            ...call.deps,
            idempotency: {
              ...call.deps.idempotency,
              fingerprint: () => call.deps.idempotency.fingerprint(what(call.body)),
            },
          },
        }),
    },
  });

/** The delivery of a creation's key; undefined for a new key. */
async function knownBefore({ deps, integrator, headers, tokenHash }: CreateCall) {
  const scope = deps.idempotency.scope(integrator, tokenHash);
  const known = await deps.transaction(deps, (tx) => deps.records.idempotency.find(tx, scope, headers[KEY]));
  const { deliveries } = deps.records;
  return known && (await deliveries.find(deps.database, integrator.id, known.delivery_id));
}

/** A server that forgets a key and its external_ref once the delivery satisfies a condition. */
const freeAgainWhen = (isForgotten: (before: Delivery) => boolean): Mutate =>
  alterCreation(async (call, create) => {
    const { deps, body } = call;
    const { external_ref } = body;
    const before = await knownBefore(call);
    if (before === undefined || !isForgotten(before)) return create(call);
    const reply = await create({
      ...call,
      headers: { [KEY]: randomUUID() },
      body: { ...body, external_ref: deps.ids.uuid() },
    });
    return { ...reply, body: { ...reply.body, external_ref } };
  });

/** A server that applies the rules for new orders to repetitions. */
const refusesRepeats = (
  refusal: (before: Delivery, call: CreateCall) => Promise<DomainError | undefined>,
): Mutate =>
  alterCreation(async (call, create) => {
    const before = await knownBefore(call);
    const refused = before && (await refusal(before, call));
    if (refused) throw refused;
    return create(call);
  });

export const idempotencyMutants = {
  "idempotency-forgets": {
    fault: "no key is ever remembered",
    breaks: [{ clause: "IDEM-5" }],
    mutate: (deps) => ({
      ...deps,
      records: {
        ...deps.records,
        idempotency: { ...deps.records.idempotency, insert: async () => {} },
      },
    }),
  },
  "idempotency-forgets-after-a-repeat": {
    fault: "a key is forgotten once it was repeated",
    breaks: breaking("the second", "IDEM-5"),
    mutate: (deps) => {
      const repeated = new Set<string>();
      return freeAgainWhen(({ id }) => repeated.has(id) || !repeated.add(id))(deps);
    },
  },
  "idempotency-repeat-answers-201": {
    fault: "a repeat is answered 201",
    breaks: [{ clause: "IDEM-5" }],
    mutate: alterCreation(async (call, create) => ({ ...(await create(call)), status: 201 })),
  },
  "idempotency-ignores-body": {
    fault: "a key that is used again is a repeat, whatever the body",
    breaks: [{ clause: "IDEM-11" }, { clause: "ERR-17" }],
    mutate: (deps) => ({ ...deps, idempotency: { ...deps.idempotency, fingerprint: () => "" } }),
  },
  "idempotency-compares-the-reference": {
    fault: "bodies with one external_ref are the same",
    breaks: [{ clause: "IDEM-11" }],
    mutate: ordersCompared(({ external_ref }) => external_ref),
  },
  "idempotency-compares-top-level-fields": {
    fault: "what lies within items and payment doesn't make another body",
    breaks: breaking(
      [
        "payment.amount_due",
        "items[].name",
        "items[].quantity",
        "items[].code",
        "the second item's name",
        "the second item's quantity",
        "the last item's name",
        "the last item's quantity",
        "the last item's code",
        "one item more",
        "without the last item",
        "the items in another order",
        "payment.prepaid",
        "payment.subtotal",
        "payment.discount",
        "items[].total",
        "payment.type",
      ],
      "IDEM-11",
    ),
    mutate: ordersCompared(({ items, payment, ...surface }) => surface),
  },
  "idempotency-ignores-directions": {
    fault: "other directions to one address don't make another body",
    breaks: [{ clause: "IDEM-11", case: "dropoff.directions" }],
    mutate: ordersCompared(({ dropoff: { directions, ...place }, ...rest }) => ({ ...rest, ...place })),
  },
  "idempotency-ignores-the-customer": {
    fault: "another customer doesn't make another body",
    breaks: breaking(
      [
        "customer.name",
        "customer.phone",
        "customer.phone_extension",
        "customer.note",
        "without customer.note",
      ],
      "IDEM-11",
    ),
    mutate: ordersCompared(({ customer, ...rest }) => rest),
  },
  "idempotency-ignores-the-pin": {
    fault: "asking for a PIN doesn't make another body",
    breaks: [{ clause: "IDEM-11", case: "require_pin" }],
    mutate: ordersCompared(({ require_pin, ...rest }) => rest),
  },
  "idempotency-ignores-times": {
    fault: "other times don't make another body",
    breaks: breaking(["ready_at", "scheduled_for"], "IDEM-11"),
    mutate: ordersCompared(({ ready_at, scheduled_for, ...rest }) => rest),
  },
  "idempotency-ignores-packages": {
    fault: "another number of packages doesn't make another body",
    breaks: [{ clause: "IDEM-11", case: "package_count" }],
    mutate: ordersCompared(({ package_count, ...rest }) => rest),
  },
  "idempotency-ignores-the-payment-type": {
    fault: "another way to pay doesn't make another body",
    breaks: [{ clause: "IDEM-11", case: "payment.type" }],
    mutate: ordersCompared(({ payment: { type, ...payment }, ...rest }) => ({ ...rest, payment })),
  },
  "idempotency-ignores-amounts": {
    fault: "that an order is paid already doesn't make another body",
    breaks: [{ clause: "IDEM-11", case: "payment.prepaid" }],
    mutate: ordersCompared(({ payment: { prepaid, ...payment }, ...rest }) => ({ ...rest, payment })),
  },
  "idempotency-ignores-the-channel": {
    fault: "another origin_channel doesn't make another body",
    breaks: [{ clause: "IDEM-11", case: "origin_channel" }],
    mutate: ordersCompared(({ origin_channel, ...rest }) => rest),
  },
  "idempotency-compares-the-first-item": {
    fault: "of the items only the first makes another body, and their number",
    breaks: breaking(
      [
        "the second item's name",
        "the second item's quantity",
        "the last item's name",
        "the last item's quantity",
        "the last item's code",
      ],
      "IDEM-11",
    ),
    mutate: ordersCompared(({ items, ...rest }) => ({ ...rest, first: items?.[0], count: items?.length })),
  },
  "idempotency-ignores-the-last-item": {
    fault: "the last of several items doesn't make another body",
    breaks: breaking(["the last item's name", "the last item's quantity", "the last item's code"], "IDEM-11"),
    mutate: ordersCompared(({ items, ...rest }) => ({
      ...rest,
      items: items && items.length > 1 ? items.slice(0, -1) : items,
      count: items?.length,
    })),
  },
  "idempotency-ignores-the-order-of-items": {
    fault: "the same items in another order don't make another body",
    breaks: [{ clause: "IDEM-11", case: "the items in another order" }],
    mutate: ordersCompared(({ items, ...rest }) => ({
      ...rest,
      items: items?.map((item) => JSON.stringify(item)).toSorted(),
    })),
  },
  "idempotency-ignores-letter-case": {
    fault: "an order in other letter case is the same order",
    breaks: breaking(["notes in capitals"], "IDEM-11"),
    mutate: ordersCompared((body) => JSON.parse(JSON.stringify(body).toLowerCase())),
  },
  "idempotency-ignores-the-store": {
    fault: "the same order of another store is the same order",
    breaks: [{ clause: "IDEM-11" }],
    mutate: ordersCompared(({ store: _store, ...rest }) => rest),
  },
  "idempotency-ignores-missing-notes": {
    fault: "an order without notes is the same as one with them",
    breaks: [{ clause: "IDEM-11", case: "without notes" }],
    mutate: ordersCompared(({ notes, ...rest }) =>
      notes === undefined ? { ...rest, notes: "first" } : { ...rest, notes },
    ),
  },
  "idempotency-forgets-cancelled-deliveries": {
    fault: "a key is free again, and its order number too, when its delivery is cancelled",
    breaks: [{ clause: "IDEM-5" }],
    mutate: freeAgainWhen(({ cancelled_at }) => cancelled_at !== null),
  },
  "idempotency-key-of-a-cancelled-delivery-is-free": {
    fault: "the key of a delivery that was cancelled opens another order",
    breaks: [{ clause: "IDEM-11" }],
    mutate: alterCreation(async (call, create) => {
      const isCancelled = (await knownBefore(call))?.cancelled_at != null;
      if (!isCancelled) return create(call);
      return onRefusal("IDEMPOTENCY_CAKISMA", create(call), () =>
        create({ ...call, headers: { ...call.headers, [KEY]: randomUUID() } }),
      );
    }),
  },
  "idempotency-repeat-shows-another-id": {
    fault: "a repeat shows the first delivery with an id of its own",
    breaks: [{ clause: "IDEM-6" }],
    mutate: alterCreation(async (call, create) => {
      const reply = await create(call);
      return reply.status === 200 ? { ...reply, body: { ...reply.body, id: randomUUID() } } : reply;
    }),
  },
  "idempotency-repeat-adds-one-second": {
    fault: "a repeat shows the first delivery, and the list has a second one from then on",
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
    fault: "a repeat is refused as a new order is while the store is suspended",
    breaks: [{ clause: "IDEM-15" }],
    mutate: refusesRepeats(async (before, { deps }) => {
      const store = await deps.records.stores.findById(deps.database, before.store_id);
      return store?.status === "ACTIVE" ? undefined : new DomainError("MAGAZA_PASIF");
    }),
  },
  "idempotency-repeat-requires-a-future-schedule": {
    fault: "a repeat is refused once the order's scheduled_for has passed",
    breaks: [{ clause: "IDEM-16" }],
    mutate: refusesRepeats(async ({ scheduled_for }, { now }) =>
      scheduled_for !== null && scheduled_for < now
        ? rejected("scheduled_for", "geçmişte kalan bir zaman")
        : undefined,
    ),
  },
  "idempotency-forgets-changed-deliveries": {
    fault: "a key is free again, and its order number too, when its delivery is changed",
    breaks: [{ clause: "IDEM-5" }],
    mutate: freeAgainWhen(({ version }) => version > 1),
  },
  "idempotency-repeat-after-a-new-address-is-refused": {
    fault: "a repeat is held against where the delivery goes now",
    breaks: [{ clause: "IDEM-5", case: "dropoff" }],
    mutate: refusesRepeats(async ({ dropoff }, { body }) =>
      dropoff.address === body.dropoff.text ? undefined : new DomainError("IDEMPOTENCY_CAKISMA"),
    ),
  },
  "idempotency-repeat-after-a-new-customer-is-refused": {
    fault: "a repeat is held against the delivery's customer of now",
    breaks: [{ clause: "IDEM-5", case: "customer.name" }],
    mutate: refusesRepeats(async ({ customer }, { body }) =>
      customer.name === (body.customer?.name ?? null) ? undefined : new DomainError("IDEMPOTENCY_CAKISMA"),
    ),
  },
  "idempotency-conflict-creates": {
    fault: "what is refused with IDEMPOTENCY_CAKISMA is written all the same",
    breaks: [{ clause: "IDEM-12" }],
    mutate: alterCreation(async (call, create) => {
      try {
        return await create(call);
      } catch (error) {
        if (error instanceof DomainError && error.code === "IDEMPOTENCY_CAKISMA") {
          await create({ ...call, headers: { ...call.headers, [KEY]: randomUUID() } });
        }
        throw error;
      }
    }),
  },
  "idempotency-conflict-overwrites-the-notes": {
    fault: "an order that is refused with IDEMPOTENCY_CAKISMA overwrites the notes of the first",
    breaks: [{ clause: "IDEM-12" }],
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
    fault: "a repeat that comes while the first is under way gets the first's answer, 201",
    breaks: [{ clause: "IDEM-10" }],
    mutate: (deps) => {
      const underWay = new Set<string>();
      const race = alterCreation(async (call, create) => {
        const name = call.headers[KEY];
        if (underWay.has(name)) return { ...(await create(call)), status: 201 };
        underWay.add(name);
        try {
          await pause(OVERLAP_MS);
          return await create(call);
        } finally {
          underWay.delete(name);
        }
      });
      return race(deps);
    },
  },
  "idempotency-race-answers-with-the-first": {
    fault: "whatever comes with the key of a creation under way is answered with its delivery, 200",
    breaks: [{ clause: "IDEM-11" }],
    mutate: (deps) => {
      const underWay = new Map<string, Promise<Created>>();
      const race = alterCreation(async (call, create) => {
        const name = call.headers[KEY];
        const earlier = underWay.get(name);
        if (earlier) return { ...(await earlier), status: 200 };
        const made = pause(OVERLAP_MS).then(() => create(call));
        underWay.set(name, made);
        try {
          return await made;
        } finally {
          underWay.delete(name);
        }
      });
      return race(deps);
    },
  },
  "idempotency-race-creates-refused-orders": {
    fault:
      "another order that comes with the key of a creation under way is refused, but written all the same",
    breaks: [{ clause: "IDEM-12" }],
    mutate: (deps) => {
      const underWay = new Set<string>();
      const race = alterCreation(async (call, create) => {
        const name = call.headers[KEY];
        if (underWay.has(name)) {
          await create({ ...call, headers: { ...call.headers, [KEY]: randomUUID() } });
          throw new DomainError("IDEMPOTENCY_CAKISMA");
        }
        underWay.add(name);
        try {
          await pause(OVERLAP_MS);
          return await create(call);
        } finally {
          underWay.delete(name);
        }
      });
      return race(deps);
    },
  },
  "idempotency-scoped-to-the-token": {
    fault: "keys are remembered for the token and not for the integrator",
    breaks: [{ clause: "IDEM-9" }],
    mutate: (deps) => ({
      ...deps,
      idempotency: { ...deps.idempotency, scope: (_, tokenHash) => tokenHash },
    }),
  },
  "idempotency-key-optional": {
    fault: "a creation needs no key",
    breaks: [{ clause: "IDEM-1", case: "no Idempotency-Key" }],
    mutate: compose(
      key({}, false),
      alterCreation((call, create) =>
        create({ ...call, headers: { ...call.headers, [KEY]: call.headers[KEY] ?? randomUUID() } }),
      ),
    ),
  },
  "idempotency-key-of-7": {
    fault: "a key may have 7 characters",
    breaks: [{ clause: "IDEM-2", case: "an Idempotency-Key of 7 characters" }],
    mutate: key({ minLength: 7 }),
  },
  "idempotency-key-of-129": {
    fault: "a key may have 129 characters",
    breaks: [{ clause: "IDEM-3", case: "an Idempotency-Key of 129 characters" }],
    mutate: key({ maxLength: 129 }),
  },
  "idempotency-key-refused-with-428": {
    fault: "a creation without a key is refused with 428",
    breaks: [{ clause: "IDEM-4" }],
    mutate: compose(
      key({}, false),
      (deps) => ({
        ...deps,
        errors: { ...deps.errors, DURUM_UYGUN_DEGIL: { ...deps.errors.DURUM_UYGUN_DEGIL, status: 428 } },
      }),
      alterCreation((call, create) => {
        if (call.headers[KEY] === undefined) throw new DomainError("DURUM_UYGUN_DEGIL");
        return create(call);
      }),
    ),
  },
  "idempotency-key-of-8-refused": {
    fault: "a key must have more than 8 characters",
    breaks: [{ clause: "LIMIT-19", case: "of 8 characters" }],
    mutate: key({ minLength: 9 }),
  },
  "idempotency-key-of-128-refused": {
    fault: "a key must have fewer than 128 characters",
    breaks: [{ clause: "LIMIT-20", case: "of 128 characters" }],
    mutate: key({ maxLength: 127 }),
  },
  "idempotency-key-cut-short": {
    fault: "of a key only the first 40 characters count",
    breaks: [{ clause: "IDEM-13" }],
    mutate: alterCreation((call, create) =>
      create({ ...call, headers: { ...call.headers, [KEY]: call.headers[KEY].slice(0, 40) } }),
    ),
  },
} satisfies Record<string, Mutant>;
