import { clause } from "../../../../openapi/generated/clauses.ts";
import { isoInstant } from "../../../core/clock.ts";
import type { Schemas } from "../../../core/contract/document.ts";
import { cases, casesFrom } from "../../../core/grading/expectations/each-element.ts";
import { expectThat } from "../../../core/grading/expectations/expect.ts";
import { CheckSkipped } from "../../../core/grading/failures/failure.ts";
import { isSuccess } from "../../../core/responses.ts";
import { type Check, check } from "../../check.ts";
import { expectFields } from "../../support/assertions.ts";
import { expectStraightLine } from "../../support/distance.ts";
import { withLastCharacterChanged } from "../../support/look-alikes.ts";
import { MARKUP } from "../../support/markup.ts";
import {
  changeDelivery,
  createDelivery,
  createUnlocatedDelivery,
  expectDeliveryUnchanged,
  readDelivery,
} from "../../support/orders/deliveries.ts";
import { changes } from "../../support/orders/generated-orders.ts";
import { near } from "../../support/orders/orders.ts";
import { type Place, REMOTE_PLACES } from "../../support/orders/places.ts";
import { expectNoEarlier, lastTenDigits, unchangedNote } from "../../support/shown-values.ts";
import { changesAtOnceChecks } from "./changes-at-once.ts";
import { changesOfOthersChecks } from "./changes-of-others.ts";
import { otherFieldsChecks } from "./changes-other-fields.ts";

type Change = Schemas["DeliveryChange"];

const MINUTE_MS = 60_000;

const notes = check({
  id: "changes.notes",
  smokeTestOf: "updateDelivery",
  title: "a PATCH of notes sets them, null clears them and raises the version, and they can be set again",
  clauses: [clause["PATCH-1"], clause["PATCH-12"], clause["PATCH-13"], clause["DLV-94"]],
  async run(context) {
    const { api } = context;
    const { id } = await createDelivery(context, { notes: "Zili çalmayın" });
    context.attributeTo(clause["PATCH-1"], clause["PATCH-12"]);
    const sent = `Kapıda  bekleyin,\n\t2. kat ${MARKUP}`;
    const set = await changeDelivery(api, id, { notes: sent });
    expectThat("notes", set.notes).is(sent);
    context.attributeTo(clause["PATCH-1"], clause["PATCH-13"]);
    const cleared = await changeDelivery(api, id, { notes: null });
    expectThat({ field: "notes", where: "set to null" }, cleared.notes || null).is(null);
    context.attributeTo(clause["DLV-94"]);
    expectThat({ field: "version", where: "after notes was set to null" }, cleared.version).isMoreThan(
      set.version,
    );
    context.attributeTo(clause["PATCH-1"], clause["PATCH-12"]);
    const again = await changeDelivery(api, id, { notes: sent });
    expectThat({ field: "notes", where: "set again after null" }, again.notes).is(sent);
    context.attributeTo(clause["PATCH-13"]);
    const mixed = await changeDelivery(api, id, { notes: null, customer: { name: "Zeynep Kaya" } });
    expectThat({ field: "notes", where: "set to null together with a name" }, mixed.notes || null).is(null);
  },
});

const anyChange = check({
  id: "changes.any-change",
  title: "any change that the OpenAPI document allows is accepted, and the delivery has the new values",
  clauses: [clause["PATCH-1"]],
  async run({ api, order, point, now, property }) {
    await property(
      changes(point, now()),
      async (change) => {
        const { id } = await createDelivery({ api, order });
        const after = await changeDelivery(api, id, change);
        const { dropoff, customer, ...rest } = change;
        const { phone, ...named } = customer ?? {};
        expectFields(after, { ...rest, ...(customer && { customer: named }) }, "the delivery");
        if (phone)
          expectThat("customer.phone", lastTenDigits(after.customer?.phone)).is(lastTenDigits(phone));
        if (dropoff) expectThat("dropoff.text", after.dropoff.text).startsWith(dropoff.text ?? "");
      },
      { runs: 10, concurrency: 10, describe: (change) => `a PATCH of ${JSON.stringify(change)}` },
    );
  },
});

const notesEmptied = check({
  id: "changes.notes-emptied",
  title:
    "a PATCH that sets notes to an empty string clears them if it is accepted, and changes nothing if it is refused",
  clauses: [clause["PATCH-12"]],
  async run(context) {
    const { api } = context;
    const originalNotes = "Zili çalmayın";
    const { id } = await createDelivery(context, { notes: originalNotes });
    const response = await api.updateDelivery(id, { notes: "" });
    const isRefused = response.status === 400;
    if (!isRefused) response.expectSuccess();
    // An empty string and null mean the same.
    const after = (await readDelivery(api, id)).notes || null;
    expectThat(
      { field: "notes", where: `after an empty string was ${isRefused ? "refused" : "accepted"}` },
      after,
    ).is(isRefused ? originalNotes : null);
  },
});

const readyAt = check({
  id: "changes.ready-at",
  title: "a PATCH with null removes ready_at, and a later one sets it",
  clauses: [clause["PATCH-7"], clause["PATCH-8"]],
  async run(context) {
    const { api, now } = context;
    const inMinutes = (minutes: number) => isoInstant(now() + minutes * MINUTE_MS);
    const first = await createDelivery(context, { ready_at: inMinutes(17) });
    const { id } = first;
    context.attributeTo(clause["PATCH-8"]);
    // The resulting value is unspecified: null, or a time that the service chooses (OPEN-55).
    const cleared = await changeDelivery(api, id, { ready_at: null });
    const removed = { field: "ready_at", where: "set to null" };
    expectThat(removed, cleared.ready_at ?? null).isNot(first.ready_at);
    expectNoEarlier(cleared.ready_at ?? first.created_at, Date.parse(first.created_at) - MINUTE_MS, removed);
    const ready_at = inMinutes(43);
    context.attributeTo(clause["PATCH-7"]);
    expectFields(await changeDelivery(api, id, { ready_at }), { ready_at }, "the delivery");
  },
});

const customerName = check({
  id: "changes.customer-name",
  title: "a PATCH of the customer sets name, phone and extension, also if the order had no customer",
  clauses: [clause["PATCH-14"], clause["PATCH-15"], clause["PATCH-16"]],
  async run(context) {
    const { api, attributeTo, each, note, order } = context;
    const { customer: _customer, ...anonymous } = await order();
    const orders = { "with a customer": await order(), "without a customer": anonymous };
    await each(casesFrom("orders", orders), async ([name, body]) => {
      const created = await api.createDelivery(body);
      if (body === anonymous && created.status === 400) {
        note(`an order ${name}: refused, so not tested (OPEN-46)`);
        return;
      }
      const customer = { name: `Mehmet Öz ${MARKUP}`, phone: "+905334445577", phone_extension: "4711" };
      const after = await changeDelivery(api, created.body(201).id, { customer });
      const where = `of an order ${name}`;
      attributeTo(clause["PATCH-14"]);
      expectThat({ field: "customer.name", where }, after.customer?.name).is(customer.name);
      attributeTo(clause["PATCH-15"]);
      const phone = after.customer?.phone?.replaceAll(/[^+\d]/g, "");
      expectThat({ field: "customer.phone", where }, phone).is(customer.phone);
      attributeTo(clause["PATCH-16"]);
      expectThat({ field: "customer.phone_extension", where }, after.customer?.phone_extension).is(
        customer.phone_extension,
      );
    });
  },
});

const customerPhone = check({
  id: "changes.customer-phone",
  title: "a PATCH of customer.phone sets it, and it is returned in international format",
  clauses: [clause["PATCH-15"]],
  async run(context) {
    const { id } = await createDelivery(context);
    const numbers = {
      "in national format": ["05334445566", /^\+[1-9]\d{0,2}5334445566$/],
      "in international format": ["+905334445577", /^\+905334445577$/],
    } as const;
    await context.each(casesFrom("phone numbers", numbers), async ([, [sent, expected]]) => {
      const after = await changeDelivery(context.api, id, { customer: { phone: sent } });
      const shown = (after.customer?.phone ?? "").replaceAll(/[^+\d]/g, "");
      expectThat({ field: "customer.phone", where: `sent as ${sent}` }, after.customer?.phone).satisfies(
        `the number in international format`,
        expected.test(shown),
      );
    });
    const foreign = "+493012345678";
    const response = await context.api.updateDelivery(id, { customer: { phone: foreign } });
    if (!isSuccess(response)) {
      response.expectStatus(400, 422);
      context.note("a number of another country is refused, so not tested (OPEN-45)");
      return;
    }
    const { customer } = await readDelivery(context.api, id);
    expectThat(
      { field: "customer.phone", where: "of another country" },
      customer?.phone?.replaceAll(/[^+\d]/g, ""),
    ).is(foreign);
  },
});

const extension = check({
  id: "changes.phone-extension",
  title:
    "a PATCH of customer.phone_extension sets it, null removes it and raises the version, and it can be set again",
  clauses: [clause["PATCH-16"], clause["PATCH-17"], clause["DLV-94"]],
  async run(context) {
    const { api } = context;
    const { id } = await createDelivery(context);
    await context.each(cases("extensions", ["4711", "0071"]), async (phone_extension) => {
      context.attributeTo(clause["PATCH-16"]);
      const set = await changeDelivery(api, id, { customer: { phone_extension } });
      expectThat("customer.phone_extension", set.customer?.phone_extension).is(phone_extension);
      context.attributeTo(clause["PATCH-17"]);
      const removed = await changeDelivery(api, id, { customer: { phone_extension: null } });
      expectThat(
        { field: "customer.phone_extension", where: "set to null" },
        removed.customer?.phone_extension || null,
      ).is(null);
      context.attributeTo(clause["DLV-94"]);
      const where = "after phone_extension was set to null";
      expectThat({ field: "version", where }, removed.version).isMoreThan(set.version);
    });
  },
});

const dropoff = check({
  id: "changes.dropoff",
  title:
    "a PATCH of dropoff changes the address of a QUEUED delivery and recomputes its distance, also if only the text or one coordinate differs, and the same PATCH may change other fields",
  clauses: [clause["PATCH-1"], clause["PATCH-2"], clause["PATCH-3"]],
  async run({ api, attributeTo, order, store, point }) {
    const { lat, lng } = await store();
    const plain = await order();
    const first = { dropoff: { ...plain.dropoff, ...REMOTE_PLACES.first } };
    const { id, distance_m } = await createDelivery({ api, order }, first);
    let previousDistance = distance_m;
    const away = near(point, 3);
    // A server must notice each difference: of both coordinates, of one, and of the text alone.
    const east = { ...away, lng: near(point).lng };
    let previous: Place = REMOTE_PLACES.first;
    for (const [step, parts] of REMOTE_PLACES.others.entries()) {
      const destination = step === 0 ? away : east;
      const text = `Taşınma Caddesi ${step}, Fatih, İstanbul`;
      attributeTo(clause["PATCH-2"]);
      const others = { notes: `Taşındık, kat ${step}`, customer: { name: `Ayşe Yılmaz ${step}` } };
      const after = await changeDelivery(api, id, { dropoff: { text, ...parts, ...destination }, ...others });
      // The server may return the parts as sent, as DLV-17 recommends, or from a map, but neither the previous
      // address's parts nor one part as another.
      for (const part of ["neighborhood", "district", "city"] as const) {
        const { [part]: own, ...others } = parts;
        for (const wrong of [previous[part], ...Object.values(others)])
          expectThat({ field: `dropoff.${part}`, where: `sent as ${own}` }, after.dropoff[part]).isNot(wrong);
      }
      expectThat("dropoff.text", after.dropoff.text).startsWith(text);
      expectFields(after.dropoff, destination, "dropoff");
      attributeTo(clause["PATCH-3"]);
      expectStraightLine(after.distance_m, { lat: Number(lat), lng: Number(lng) }, destination, {
        where: `after the ${["first", "second", "third"][step]} PATCH of dropoff`,
        note: unchangedNote(previousDistance, after.distance_m),
      });
      previousDistance = after.distance_m;
      attributeTo(clause["PATCH-1"]);
      expectFields(after, others, "the delivery after a PATCH of dropoff, notes and customer.name");
      previous = parts;
    }
  },
});

const dropoffWithoutCoordinates = check({
  id: "changes.dropoff-without-coordinates",
  title: "a PATCH of dropoff without coordinates changes the address of a delivery without coordinates",
  clauses: [clause["PATCH-2"]],
  async run(context) {
    const { id } = await createUnlocatedDelivery(context);
    const text = "Yeni adres de telefonda sorulacak";
    const after = await changeDelivery(context.api, id, { dropoff: { text } });
    expectThat("dropoff.text", after.dropoff.text).startsWith(text);
  },
});

const directions = check({
  id: "changes.directions",
  title:
    "after a PATCH of dropoff with directions dropoff.text is the new address, followed by the directions",
  clauses: [clause["PATCH-24"]],
  async run(context) {
    const { api, point } = context;
    const text = "Yokuşbaşı Sokak 14, Fatih, İstanbul";
    const sent = { dropoff: { text, directions: "Arka bahçe kapısı, 2. kat", ...near(point, 2) } };
    const { dropoff } = await context.order();
    const before = { dropoff: { ...dropoff, directions: "Çatı katı, sarı kapı" } };
    const { id } = await createDelivery(context, before);
    const response = await api.updateDelivery(id, sent);
    // Which parts of an address a PATCH accepts is unspecified (OPEN-152).
    if (response.status === 400) throw new CheckSkipped("a PATCH of dropoff with directions was refused");
    response.expectSuccess();
    const shown = (await readDelivery(api, id)).dropoff.text;
    expectThat("dropoff.text", shown).startsWith(text);
    // The separator between address and directions is unspecified (OPEN-37).
    expectThat({ field: "dropoff.text", where: "after the address" }, shown.slice(text.length)).includes(
      sent.dropoff.directions,
    );
    expectThat({ field: "dropoff.text", where: "after a change of the directions" }, shown).doesNotInclude(
      before.dropoff.directions,
    );
  },
});

const atomic = check({
  id: "changes.all-or-nothing",
  title: "a PATCH with one invalid field changes no field",
  clauses: [clause["PATCH-20"]],
  async run(context) {
    const { api } = context;
    const before = await createDelivery(context, { notes: "Ön kapı" });
    const { id } = before;
    const notes = "Arka kapı";
    const customer = { name: "Zeynep Kaya" };
    for (const [rule, body] of [
      ["an extension with letters", { notes, customer: { ...customer, phone_extension: "12ab" } }],
      ["an extension of 21 digits", { notes, customer: { ...customer, phone_extension: "1".repeat(21) } }],
      ["an address that isn't a string", { notes, customer, dropoff: { text: { wrong: true } } }],
    ] as const) {
      const refused = await api.sendInvalid("updateDelivery", `${rule}, and valid fields`, {
        path: { id },
        body,
      });
      refused.expectError(400);
      await expectDeliveryUnchanged(api, before, `a refused PATCH with ${rule} and valid fields`);
    }
    const validBody: Change = {
      notes: "Arka kapı",
      customer: { name: "Zeynep Kaya", phone_extension: "12" },
    };
    expectFields(await changeDelivery(api, id, validBody), validBody, "the delivery");
  },
});

const unknownId = check({
  id: "changes.unknown-id",
  title: "a PATCH of an unknown id returns 404",
  clauses: [clause["PATCH-21"]],
  async run(context) {
    const { api } = context;
    const { id } = await createDelivery(context);
    (await api.updateDelivery(withLastCharacterChanged(id), { notes: "Ön kapı" })).expectError(404);
    expectThat(
      { field: "notes", where: "of an existing delivery" },
      (await changeDelivery(api, id, { notes: "Ön kapı" })).notes,
    ).is("Ön kapı");
  },
});

export const changesChecks: readonly Check[] = [
  ...changesAtOnceChecks,
  notes,
  anyChange,
  notesEmptied,
  readyAt,
  customerName,
  customerPhone,
  extension,
  dropoff,
  dropoffWithoutCoordinates,
  directions,
  ...otherFieldsChecks,
  ...changesOfOthersChecks,
  atomic,
  unknownId,
];
