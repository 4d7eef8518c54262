import { expect, test } from "vitest";
import type { Exchange } from "../../core/exchange.ts";
import { CheckFailure } from "../../core/grading/failures/failure.ts";
import type { Mismatch } from "../../core/grading/failures/mismatch.ts";
import { originHint } from "./origin-hint.ts";

const ORDER = { notes: "Zile basmayın", customer: { name: "Gökçe Şahin", note: "Alerjisi var" } };
const FIRST = { id: "id-first", external_ref: "a-1", store_id: "store-1", ...ORDER };
const SECOND = { ...FIRST, id: "id-second", external_ref: "a-2", notes: "Kapıda bekleyin" };

let at = 0;
function step(path: string, body: object | undefined, json: object, sender = "one") {
  at += 1;
  const exchange: Exchange = {
    operation: "createDelivery",
    method: "POST",
    url: `http://127.0.0.1:8080/v1/deliveries${path}`,
    requestHeaders: {},
    requestBody: body && JSON.stringify(body),
    startedAt: at,
    sender,
    durationMs: 0,
    failure: undefined,
    violates: undefined,
    response: { status: 200, headers: {}, bytes: Buffer.alloc(0), text: "", json },
  };
  return { exchange, at };
}
const created = (delivery: typeof FIRST, sender = "one") => step("", ORDER, delivery, sender);

const wrong = (field: string, expected: unknown, actual: unknown, note?: string): Mismatch => ({
  subject: field,
  field,
  relation: "to be",
  expected,
  actual,
  note,
});
const hintFor = (mismatch: Mismatch, ...steps: readonly ReturnType<typeof step>[]) =>
  originHint(new CheckFailure(mismatch), steps);

const wrongId = wrong("id", FIRST.id, SECOND.id);

test.each([
  ["another delivery", created(SECOND)],
  ["another store's delivery", created({ ...SECOND, store_id: "store-2" })],
  ["another integrator's delivery", created(SECOND, "two")],
])("a wrong id is that of %s", (owner, other) => {
  expect(hintFor(wrongId, created(FIRST), other)).toBe(`it is the id of ${owner}`);
  const details = { delivery_id: SECOND.id, status: "QUEUED" };
  const inDetails: Mismatch = {
    subject: "details",
    relation: "to have",
    expected: { delivery_id: FIRST.id },
    actual: details,
  };
  expect(hintFor(inDetails, created(FIRST), other)).toBe(`it is the id of ${owner}`);
});

test("an id that no response shows", () => {
  expect(hintFor(wrongId, created(FIRST))).toBeUndefined();
});

const patch = () => step(`/${FIRST.id}`, { notes: "Arka kapıdan" }, { ok: true });

test("the value from before the change", () => {
  const stale = wrong("notes", "Arka kapıdan", FIRST.notes);
  const [before, change, after] = [created(FIRST), patch(), created(FIRST)];
  expect(hintFor(stale, before, change)).toBe("it is the value from before the change");
  expect(hintFor(stale, change, after)).toBeUndefined();
});

test("another field of the request", () => {
  const swapped = wrong("notes", ORDER.notes, ORDER.customer.note);
  expect(hintFor(swapped, created({ ...FIRST, notes: ORDER.customer.note }))).toBe(
    "it was sent as customer.note",
  );
});

test("another delivery's value", () => {
  const mixed = wrong("notes", ORDER.notes, SECOND.notes);
  expect(hintFor(mixed, created(SECOND), created({ ...FIRST, notes: SECOND.notes }))).toBe(
    "it is that of another delivery",
  );
});

test.each([
  ["the check's own note", wrong("id", FIRST.id, SECOND.id, "they are two")],
  ["a short text", wrong("status", "QUEUED", "CASH")],
  ["a small number", wrong("package_count", 1, 2)],
])("%s needs no hint", (_, mismatch) => {
  expect(hintFor(mismatch, created(FIRST), created(SECOND))).toBeUndefined();
});
