import * as fc from "fast-check";
import { clause } from "../../../../openapi/generated/clauses.ts";
import { isoInstant } from "../../../core/clock.ts";
import { eachAtOnce } from "../../../core/concurrency.ts";
import type { Schemas } from "../../../core/contract/document.ts";
import { cases, casesFrom } from "../../../core/grading/expectations/each-element.ts";
import { expectThat } from "../../../core/grading/expectations/expect.ts";
import { CheckSkipped } from "../../../core/grading/failures/failure.ts";
import { type Check, check } from "../../check.ts";
import type { ApiResponse } from "../../session/http/api-response.ts";
import { newReferenceOfDigits } from "../../session/sample-data/sample-data.ts";
import { expectFields } from "../../support/assertions.ts";
import { findOnceListed } from "../../support/lists/delivery-list.ts";
import { MARKUP } from "../../support/markup.ts";
import { changeDelivery, createDelivery, readDelivery } from "../../support/orders/deliveries.ts";
import { amounts, itemLists, paymentsOnDelivery, textUpTo } from "../../support/orders/generated-orders.ts";
import { INEXACT_AMOUNTS, LARGE_AMOUNT, TELLING_ITEM_LISTS } from "../../support/orders/item-lists.ts";
import { toTheMetre } from "../../support/orders/orders.ts";
import { PLACES } from "../../support/orders/places.ts";
import { createPrepaidDelivery, prepaidPayment } from "../../support/orders/prepaid.ts";

type NewDelivery = Schemas["NewDelivery"];

const MINUTE_MS = 60_000;

interface RoundTrip<T> extends Pick<Check, "id" | "title" | "clauses"> {
  /** The cases: a list, or a generator. `order` turns each case into fields of an order. */
  readonly values: readonly T[] | fc.Arbitrary<T>;
  /** Values that are always sent, because a generator rarely produces values that reveal common mistakes. */
  readonly always?: readonly T[];
  order(value: T, plain: NewDelivery, now: number): Partial<NewDelivery>;
  expectedFields(sent: NewDelivery, value: T): object;
  /** Converts values that may be returned in several notations to one notation, for the comparison. */
  normalise?(shown: Schemas["Delivery"]): object;
}

function roundTripCheck<T>({
  values,
  always = [],
  order,
  expectedFields,
  normalise = (delivery) => delivery,
  ...metadata
}: RoundTrip<T>): Check {
  return check({
    ...metadata,
    async run(context) {
      const { api, now, property } = context;
      const tryValue = async (value: T) => {
        const plain = await context.order();
        const sent = { ...plain, ...order(value, plain, now()) };
        const { id } = (await api.createDelivery(sent)).body(201);
        const delivery = (await api.getDelivery(id)).body(200);
        expectFields(normalise(delivery), expectedFields(sent, value), "delivery");
      };
      await eachAtOnce(always, tryValue);
      if (values instanceof fc.Arbitrary) await property(values, tryValue, { runs: 3, concurrency: 3 });
      else await eachAtOnce(values, tryValue);
    },
  });
}

/** Offsets in degrees, up to about 100 m. A server needs to keep only five decimals. */
const offsetDegrees = fc.integer({ min: 1, max: 99 }).map((steps) => steps / 1e5);

/** Likely values of origin_channel (OPEN-48). The last value has the maximum length. */
const CHANNELS = ["PHONE", "POS", "TELEFON", "YEMEKSEPETI", "pos", "GETIRYEMEK-PAZARYERI"];

/**
 * An invented channel in Turkish letters, which the same letters in capitals become again. A server that accepts it has
 * no list of channels.
 */
const INVENTED_CHANNEL = "Şölen Çörek";
/** An invented channel of 20 characters, in more than 20 bytes. */
const LARGEST_CHANNEL = "Üç Köşe Köftehane Şb";

const channel = check({
  id: "delivery-fields.origin-channel",
  title:
    "an accepted origin_channel is returned as sent, except for its letter case, and a server without a list of channels accepts 20 Turkish letters",
  clauses: [clause["DLV-31"], clause["LIMIT-24"]],
  async run({ api, attributeTo, each, note, order }) {
    attributeTo(clause["DLV-31"]);
    // Includes the channel that the target uses by default, because a target may refuse unknown channels.
    const plain = (await api.createDelivery(await order())).body(201);
    const shownByDefault = (await api.getDelivery(plain.id)).body(200).origin_channel;
    const responses = await Promise.all(
      [...CHANNELS, INVENTED_CHANNEL, ...[shownByDefault ?? []].flat()].map(async (origin_channel) =>
        api.createDelivery(await order({ origin_channel })),
      ),
    );
    const acceptedResponses = responses.filter((response) => {
      // Any 2xx with a delivery is accepted here, because another check tests the status.
      if (response.hasContentOf(201)) return true;
      response.expectStatus(201, 400);
      return false;
    });
    const pairs = acceptedResponses.map((accepted): readonly [NewDelivery, ApiResponse<"createDelivery">] => [
      JSON.parse(accepted.exchange.requestBody ?? "{}"),
      accepted,
    ]);
    const [pair] = pairs;
    if (pair === undefined) throw new CheckSkipped("the target accepts none of the tested channels");
    await each(
      cases("channels", pairs, ([sent]) => String(sent.origin_channel)),
      async ([sent, accepted]) => {
        const shown = (await api.getDelivery(accepted.body(201).id)).body(200);
        expectThat("origin_channel", shown.origin_channel?.toLowerCase()).is(
          sent.origin_channel?.toLowerCase(),
        );
      },
    );
    const [sent, accepted] = pair;
    const changed = await changeDelivery(api, accepted.body(201).id, { notes: "Arka kapı" });
    const subject = { field: "origin_channel", where: "after a change of the notes" };
    expectThat(subject, changed.origin_channel?.toLowerCase()).is(sent.origin_channel?.toLowerCase());
    attributeTo(clause["LIMIT-24"]);
    if (!pairs.some(([other]) => other.origin_channel === INVENTED_CHANNEL))
      return note("the target has a list of channels, so the largest channel wasn't tried");
    const origin_channel = LARGEST_CHANNEL;
    const largest = (await api.createDelivery(await order({ origin_channel }))).body(201);
    expectThat("origin_channel", largest.origin_channel?.toLowerCase()).is(origin_channel.toLowerCase());
  },
});

const prepaid = check({
  id: "delivery-fields.prepaid",
  title: "prepaid at the top level has the value that was sent as payment.prepaid",
  clauses: [clause["DLV-33"]],
  async run(context) {
    const { api } = context;
    const { payment, ...order } = await context.order();
    const nothingDue = { type: payment.type, amount_due: 0, prepaid: false };
    // A server may refuse this order (OPEN-41).
    const unpaid = await api.createDelivery({ ...order, payment: nothingDue });
    const orders = {
      "prepaid: true": await createPrepaidDelivery(context),
      "prepaid: false": await createDelivery(context),
      ...(unpaid.hasContentOf(201) && { "prepaid: false and an amount_due of 0": unpaid.body(201) }),
    };
    await context.each(casesFrom("orders", orders), async ([order, { id, external_ref }]) => {
      const sent = order === "prepaid: true";
      expectThat(
        { field: "prepaid", where: `of an order with ${order}` },
        (await readDelivery(api, id)).prepaid,
      ).is(sent);
      const [item] = await findOnceListed(api, external_ref, id);
      expectThat({ field: "prepaid", where: `of an order with ${order}, in the list` }, item?.prepaid).is(
        sent,
      );
    });
  },
});

const prepaidSums = check({
  id: "delivery-fields.prepaid-sums",
  title: "payment.subtotal, payment.discount and an amount_due of 0 of a prepaid order are returned as sent",
  clauses: [clause["DLV-19"], clause["DLV-20"]],
  async run(context) {
    const { api, order } = context;
    const payment = await prepaidPayment(context);
    if (!payment) throw new CheckSkipped("the target accepts no prepaid order");
    // The difference of subtotal and discount is the amount due, 0. The effect of contradictory sums is
    // unspecified (OPEN-44).
    const sums = { subtotal: 19.99, discount: 19.99 };
    const { id } = (await api.createDelivery(await order({ payment: { ...payment, ...sums } }))).body(201);
    const shown = (await readDelivery(api, id)).payment;
    context.attributeTo(clause["DLV-19"]);
    expectFields(shown, { amount_due: payment.amount_due }, "payment");
    context.attributeTo(clause["DLV-20"]);
    expectFields(shown, sums, "payment");
  },
});

/** A banquet. The upper bound of amounts is unspecified (OPEN-41). */
const FIVE_DIGITS = 13_499.93;

const fiveDigits = check({
  id: "delivery-fields.five-digit-amounts",
  title: "amounts of five digits are returned as sent, unless the order is refused",
  clauses: [clause["DLV-102"]],
  async run({ api, note, order }) {
    const { payment, ...rest } = await order();
    const items = [{ name: "Düğün Çorbası", quantity: 150, total: FIVE_DIGITS }];
    const sums = { amount_due: FIVE_DIGITS, subtotal: FIVE_DIGITS, discount: 0 };
    const accepted = await api.createDelivery({ ...rest, items, payment: { ...payment, ...sums } });
    if (!accepted.hasContentOf(201))
      return note(
        `the target refuses an amount_due of ${FIVE_DIGITS}, so no amount of five digits was tried`,
      );
    expectFields(await readDelivery(api, accepted.body(201).id), { payment: sums, items }, "the delivery");
  },
});

const prepaidOmitted = check({
  id: "delivery-fields.prepaid-omitted",
  title: "prepaid isn't true in the response if an order with an amount due omits payment.prepaid",
  clauses: [clause["DLV-67"]],
  async run(context) {
    const { type, amount_due } = (await context.order()).payment;
    const { id } = await createDelivery(context, { payment: { type, amount_due } });
    // prepaid may be false, null or missing (OPEN-43).
    expectThat("prepaid", (await readDelivery(context.api, id)).prepaid).isNot(true);
  },
});

export const deliveryFieldsEchoChecks: readonly Check[] = [
  roundTripCheck({
    id: "delivery-fields.markup",
    title: "markup characters are returned as sent",
    clauses: [clause["DLV-30"]],
    values: [MARKUP],
    order: (text, plain) => ({
      notes: text,
      items: [{ name: text, quantity: 1, total: 1 }],
      customer: { ...plain.customer, name: text },
    }),
    expectedFields: ({ notes, items, customer }) => ({ notes, items, customer: { name: customer?.name } }),
  }),
  roundTripCheck({
    id: "delivery-fields.external-ref",
    title:
      "a delivery's external_ref is the one that was sent, with its leading zeros if it consists of digits",
    clauses: [clause["DLV-4"]],
    values: ["of letters and digits", "of digits"],
    order: (kind) => (kind === "of digits" ? { external_ref: newReferenceOfDigits() } : {}),
    expectedFields: ({ external_ref }) => ({ external_ref }),
  }),
  roundTripCheck({
    id: "delivery-fields.coordinates",
    title: "valid coordinates of the drop-off are returned as sent, to one metre",
    clauses: [clause["DLV-16"]],
    values: fc.record({ north: offsetDegrees, east: offsetDegrees }),
    order: ({ north, east }, { dropoff }) => ({
      dropoff: {
        ...dropoff,
        lat: toTheMetre((dropoff.lat ?? 0) - north),
        lng: toTheMetre((dropoff.lng ?? 0) - east),
      },
    }),
    expectedFields: ({ dropoff: { lat, lng } }) => ({ dropoff: { lat, lng } }),
  }),
  roundTripCheck({
    id: "delivery-fields.district",
    title: "district, neighbourhood and city of the drop-off are returned as sent, also if one is omitted",
    clauses: [clause["DLV-17"]],
    values: [...PLACES, { district: "Kadıköy", city: "İstanbul" }],
    order: (place, { dropoff }) => ({ dropoff: { ...dropoff, ...place } }),
    expectedFields: (_, place) => ({ dropoff: place }),
  }),
  roundTripCheck({
    id: "delivery-fields.payment-type",
    title: "payment.type is the code that was sent",
    clauses: [clause["DLV-18"]],
    // The plain order already has a payment code that the target accepts.
    values: [undefined],
    order: () => ({}),
    expectedFields: ({ payment: { type } }) => ({ payment: { type } }),
  }),
  roundTripCheck({
    id: "delivery-fields.amount-due",
    title: "payment.amount_due is exactly the amount that was sent",
    clauses: [clause["DLV-19"]],
    values: paymentsOnDelivery,
    always: [...INEXACT_AMOUNTS, LARGE_AMOUNT].map((amount_due) => ({ amount_due, prepaid: false })),
    order: (sent, { payment }) => ({ payment: { ...payment, ...sent } }),
    expectedFields: ({ payment: { amount_due } }) => ({ payment: { amount_due } }),
  }),
  roundTripCheck({
    id: "delivery-fields.subtotal",
    title: "payment.subtotal and payment.discount are returned as sent",
    clauses: [clause["DLV-20"]],
    always: [{ amount_due: LARGE_AMOUNT, discount: 0, subtotal: LARGE_AMOUNT }],
    values: fc.tuple(amounts, fc.oneof(fc.constant(0), amounts)).map(([expected, discount]) => ({
      amount_due: expected,
      discount,
      subtotal: Math.round((expected + discount) * 100) / 100,
    })),
    order: (sent, { payment }) => ({ payment: { ...payment, ...sent } }),
    expectedFields: (_, { subtotal, discount }) => ({ payment: { subtotal, discount } }),
  }),
  roundTripCheck({
    id: "delivery-fields.customer",
    title: "the customer's name and note are returned as sent",
    clauses: [clause["DLV-24"]],
    always: [{ name: MARKUP, note: MARKUP }],
    values: fc.record({ name: textUpTo(60), note: textUpTo(500) }),
    order: (person, { customer }) => ({ customer: { ...customer, ...person } }),
    expectedFields: (_, person) => ({ customer: person }),
  }),
  roundTripCheck({
    id: "delivery-fields.phone-extension",
    title: "the customer's phone extension is returned as sent, with its leading zeros",
    clauses: [clause["DLV-27"]],
    values: ["4711", "0071"],
    order: (phone_extension, { customer }) => ({ customer: { ...customer, phone_extension } }),
    expectedFields: (_, phone_extension) => ({ customer: { phone_extension } }),
  }),
  roundTripCheck({
    id: "delivery-fields.items",
    title: "items contains each item with the name, quantity and total that were sent",
    clauses: [clause["DLV-28"]],
    always: TELLING_ITEM_LISTS,
    // The first line occurs twice. The server must not merge equal lines.
    values: itemLists.map((lines) => [...lines, ...lines.slice(0, 1)]),
    order: (lines) => ({ items: lines }),
    expectedFields: (_, lines) => ({
      items: lines.map(({ name, quantity, total }) => ({ name, quantity, total })),
    }),
  }),
  roundTripCheck({
    id: "delivery-fields.scheduled-for",
    title: "scheduled_for is the instant that was sent, or null when none was sent",
    clauses: [clause["DLV-29"]],
    values: [undefined, 90, 1700],
    order: (minutes, _, now) => (minutes ? { scheduled_for: isoInstant(now + minutes * MINUTE_MS) } : {}),
    expectedFields: ({ scheduled_for }) => ({ scheduled_for: scheduled_for ?? null }),
  }),
  roundTripCheck({
    id: "delivery-fields.notes",
    title: "notes is the text that was sent, and null or empty when none was sent",
    clauses: [clause["DLV-30"]],
    values: ["Kapıya bırakın, zili çalmayın", "Arka kapı\nİkinci kat", null],
    order: (notes) => (notes === null ? {} : { notes }),
    // An empty text and null mean the same.
    normalise: ({ notes }) => ({ notes: notes || null }),
    expectedFields: (_, notes) => ({ notes }),
  }),
  channel,
  roundTripCheck({
    id: "delivery-fields.package-count",
    title: "package_count is the number that was sent",
    clauses: [clause["DLV-32"]],
    values: fc.integer({ min: 2, max: 20 }),
    order: (package_count) => ({ package_count }),
    expectedFields: (_, package_count) => ({ package_count }),
  }),
  prepaid,
  prepaidSums,
  prepaidOmitted,
  fiveDigits,
  roundTripCheck({
    id: "delivery-fields.ready-at",
    title: "ready_at is the instant that was sent",
    clauses: [clause["DLV-47"]],
    always: [{ minutes: 187, isScheduled: true }],
    values: fc.integer({ min: 11, max: 55 }).map((minutes) => ({ minutes, isScheduled: false })),
    order: ({ minutes, isScheduled }, _, now) => ({
      ready_at: isoInstant(now + minutes * MINUTE_MS),
      ...(isScheduled && { scheduled_for: isoInstant(now + (minutes + 20) * MINUTE_MS) }),
    }),
    expectedFields: ({ ready_at }) => ({ ready_at }),
  }),
];
