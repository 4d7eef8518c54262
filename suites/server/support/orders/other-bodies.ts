import { isoInstant } from "../../../core/clock.ts";
import type { Schemas } from "../../../core/contract/document.ts";
import type { Point } from "../../session/sample-data/settings.ts";
import { toTheMetre } from "./orders.ts";

type NewDelivery = Schemas["NewDelivery"];

const HOUR_MS = 3_600_000;
const FIFTY_METRES_DEGREES = 0.0005;

const MORE_ITEMS = [
  { name: "Künefe", quantity: 2, total: 290 },
  { name: "Şalgam", quantity: 1, total: 45 },
];

/** An order with every field that has a value which no target can refuse. */
export function fullOrder(plain: NewDelivery, now: number): NewDelivery {
  return {
    ...plain,
    customer: { ...plain.customer, phone_extension: "4021", note: "Zil bozuk, kapıyı çalın" },
    dropoff: {
      ...plain.dropoff,
      directions: "3. kat, sağdaki kapı",
      neighborhood: "Hobyar",
      district: "Fatih",
      city: "İstanbul",
    },
    items: [...(plain.items ?? []), ...MORE_ITEMS].map((item) => ({ ...item, code: "A-17" })),
    package_count: 2,
    ready_at: isoInstant(now + HOUR_MS),
    scheduled_for: isoInstant(now + 24 * HOUR_MS),
    notes: "first",
    require_pin: true,
  };
}

/** A change of one field to a value that a target can't refuse. */
type Change = (order: NewDelivery) => NewDelivery;

type Items = NonNullable<NewDelivery["items"]>;

const inItem =
  (change: Partial<Items[number]>, place = 0): Change =>
  (order) => ({
    ...order,
    items: (order.items ?? []).map((item, at, { length }) =>
      at === (place + length) % length ? { ...item, ...change } : item,
    ),
  });

const inItems =
  (change: (items: Items) => Items): Change =>
  (order) => ({ ...order, items: change(order.items ?? []) });

const inCustomer =
  (change: NewDelivery["customer"]): Change =>
  (order) => ({ ...order, customer: { ...order.customer, ...change } });

const inDropoff =
  (change: (dropoff: NewDelivery["dropoff"]) => Partial<NewDelivery["dropoff"]>): Change =>
  (order) => ({ ...order, dropoff: { ...order.dropoff, ...change(order.dropoff) } });

const inPayment =
  (change: (payment: NewDelivery["payment"]) => Partial<NewDelivery["payment"]>): Change =>
  (order) => ({ ...order, payment: { ...order.payment, ...change(order.payment) } });

const later = (time: string | undefined): string => isoInstant(Date.parse(time ?? "") + HOUR_MS);

const eastward = ({ lng = 0 }: Partial<Point>) => ({ lng: toTheMetre(lng + FIFTY_METRES_DEGREES) });
const northward = ({ lat = 0 }: Partial<Point>) => ({ lat: toTheMetre(lat + FIFTY_METRES_DEGREES) });

/** A change of each field alone, by its name in the document. */
export const changesByField: Readonly<Record<string, Change>> = {
  "customer.name": inCustomer({ name: "Ayşe Öztürk Demirci" }),
  "customer.phone": inCustomer({ phone: "05339998877" }),
  "customer.phone_extension": inCustomer({ phone_extension: "4022" }),
  "customer.note": inCustomer({ note: "Alerjisi var" }),
  "dropoff.text": inDropoff(() => ({ text: "Başka Sokak 3, Fatih, İstanbul" })),
  "dropoff.directions": inDropoff(() => ({ directions: "Zemin kat, arka kapı" })),
  "dropoff.neighborhood": inDropoff(() => ({ neighborhood: "Alemdar" })),
  "dropoff.district": inDropoff(() => ({ district: "Beyoğlu" })),
  "dropoff.city": inDropoff(() => ({ city: "Kocaeli" })),
  "dropoff.lat": inDropoff(northward),
  "dropoff.lng": inDropoff(eastward),
  // Derived from the generated value, so that it always differs.
  "payment.amount_due": inPayment(({ amount_due }) => ({ amount_due: amount_due + 1 })),
  "items[].name": inItem({ name: "Yoğurtlu kebap" }),
  "items[].quantity": inItem({ quantity: 2 }),
  "items[].code": inItem({ code: "A-18" }),
  package_count: (order) => ({ ...order, package_count: 3 }),
  ready_at: (order) => ({ ...order, ready_at: later(order.ready_at) }),
  scheduled_for: (order) => ({ ...order, scheduled_for: later(order.scheduled_for) }),
  require_pin: (order) => ({ ...order, require_pin: false }),
  notes: (order) => ({ ...order, notes: "second" }),
};

/** Changes in a list, in letter case, or by a missing member, by the location of the difference. */
export const changesByLocation: Readonly<Record<string, Change>> = {
  "the second item's name": inItem({ name: "Yoğurtlu kebap" }, 1),
  "the second item's quantity": inItem({ quantity: 3 }, 1),
  "the last item's name": inItem({ name: "Yoğurtlu kebap" }, -1),
  "the last item's quantity": inItem({ quantity: 3 }, -1),
  "the last item's code": inItem({ code: "A-18" }, -1),
  "one item more": inItems((items) => [...items, ...MORE_ITEMS.slice(0, 1)]),
  "without the last item": inItems((items) => items.slice(0, -1)),
  "the items in another order": inItems((items) => items.toReversed()),
  "notes in capitals": (order) => ({ ...order, notes: String(order.notes).toUpperCase() }),
  "without notes": ({ notes: _notes, ...order }) => order,
  "without customer.note": ({ customer, ...order }) => {
    const { note: _note, ...rest } = customer ?? {};
    return { ...order, customer: rest };
  },
};

/** Changes that a target may refuse with 400, each with its open point. */
export const possiblyRefusedChanges: Readonly<Record<string, Change>> = {
  // OPEN-42: whether a prepaid order may have an amount due is unspecified.
  "payment.prepaid": inPayment(() => ({ prepaid: true })),
  // OPEN-44: amounts may have to agree.
  "payment.subtotal": inPayment(({ amount_due }) => ({ subtotal: amount_due + 20 })),
  "payment.discount": inPayment(() => ({ discount: 5 })),
  "items[].total": inItem({ total: 999 }),
  // OPEN-48: some values may be unknown.
  origin_channel: (order) => ({ ...order, origin_channel: "TELEFON" }),
};

/** Fields that aren't changed under the same key, with the reason. */
export const unchangedFields: Readonly<Record<string, string>> = {
  external_ref: "another check sends an order that differs in all fields",
  "store.external_store_id": "a key may be scoped to the store (OPEN-115)",
  "payment.type": "the other codes depend on the target's list",
  test: "whether a test delivery keeps its key is unspecified (OPEN-12)",
};
