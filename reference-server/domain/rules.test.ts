import { describe, expect, test } from "vitest";
import { cursor } from "./cursor.ts";
import { idempotency } from "./idempotency.ts";
import { durationMs, formatInstant, isInstant, parseInstant } from "./instants.ts";
import { changeRefusal, lifecycle, transitionFrom } from "./lifecycle.ts";
import { statuses } from "./model.ts";
import { paging } from "./paging.ts";
import { phone } from "./phone.ts";
import { distance, turkey } from "./places.ts";
import { prices } from "./prices.ts";
import { resolver } from "./resolver.ts";

describe("instants", () => {
  test.each([
    "2030-05-01T18:30:00+03:00",
    "2030-05-01T15:30:00Z",
    "2030-05-01T15:30:00.125Z",
    "2028-02-29T00:00:00Z",
  ])("%s is taken", (text) => expect(isInstant(text)).toBe(true));
  test.each([
    "2030-05-01T18:30:00",
    "2030-05-01",
    "2030-02-30T00:00:00Z",
    "2030-05-01 18:30:00Z",
    "2030-13-01T00:00:00Z",
    "0000-01-01T00:00:00+03:00",
    "",
  ])("%j is refused", (text) => expect(isInstant(text)).toBe(false));
  test("are written in UTC with Z", () => {
    expect(formatInstant(parseInstant("2030-05-01T18:30:00+03:00"))).toBe("2030-05-01T15:30:00.000Z");
  });
  test("durations", () => {
    expect(durationMs("P7D")).toBe(604_800_000);
    expect(durationMs("PT1M30S")).toBe(90_000);
  });
});

describe("the cursor", () => {
  const place = { updated_at: 1_795_234_384_695, change_number: 42 };
  test("comes back as it went", () => expect(cursor.decode(cursor.encode(place))).toEqual(place));
  test.each(["", "abc", "null", cursor.encode(place).slice(0, -1), `${cursor.encode(place).slice(0, 5)}AA`])(
    "%j is none",
    (text) => expect(cursor.decode(text)).toBeUndefined(),
  );
});

test("a page of exactly the limit has no more", () => {
  expect(paging.cut([1, 2, 3], 3)).toEqual({ items: [1, 2, 3], more: false });
  expect(paging.cut([1, 2, 3, 4], 3)).toEqual({ items: [1, 2, 3], more: true });
});

test.each([
  ["0532 555 01 23", "+905325550123"],
  ["5325550123", "+905325550123"],
  ["+49 30 901820", "+4930901820"],
  ["00 90 212 555 01 99", "+902125550199"],
  ["dahili 7", "dahili 7"],
])("phone %s is %s", (sent, kept) => expect(phone.international(sent)).toBe(kept));

test("places within the country count, 0,0 and others don't", () => {
  expect(turkey.contains({ lat: 41.0082, lng: 28.9784 })).toBe(true);
  expect(turkey.contains({ lat: 0, lng: 0 })).toBe(false);
  expect(turkey.contains({ lat: 52.52, lng: 13.4 })).toBe(false);
  expect(turkey.contains({ lat: 91, lng: 28.9 })).toBe(false);
});

test("a fee is base and distance, to the kuruş", () => {
  const table = { base: 40, per_km: 15, currency: "TRY", vat_included: false };
  expect(prices.fee(table, 2.97)).toEqual({ amount: 84.55, currency: "TRY", vat_included: false });
  expect(prices.fee(null, 2.97)).toBeNull();
  expect(distance.roadKm(1635)).toBe(2.13);
});

test("bodies are compared as JSON", () => {
  const { fingerprint } = idempotency;
  expect(fingerprint({ a: 1, b: [1, { c: "ş" }] })).toBe(fingerprint({ b: [1, { c: "ş" }], a: 1 }));
  expect(fingerprint({ a: [1, 2] })).not.toBe(fingerprint({ a: [2, 1] }));
  expect(fingerprint({ a: "1" })).not.toBe(fingerprint({ a: 1 }));
});

test("an address without a point gets candidates, the named district first", async () => {
  const query = { address: "Moda Caddesi 1, Kadıköy", neighborhood: null, district: null, city: null };
  const [best] = await resolver.candidates(query);
  expect(best).toMatchObject({ district: "Kadıköy", city: "İstanbul" });
  expect(await resolver.candidates({ ...query, address: "Bilinmeyen 1" })).toEqual([]);
});

describe("the lifecycle", () => {
  test("leaves no state that is neither final nor left by something", () => {
    for (const status of statuses) {
      const ways = Object.values(lifecycle.transitions).filter(({ from }) => from.includes(status));
      expect(ways.length > 0, status).toBe(!lifecycle.states[status].final);
    }
  });
  test("lets the integrator in until the courier has the package", () => {
    const refusals = Object.fromEntries(statuses.map((status) => [status, changeRefusal(lifecycle, status)]));
    expect(refusals).toMatchObject({ QUEUED: undefined, PICKED_UP: "KURYE_ALDI", RETURNING: "KURYE_ALDI" });
    expect(refusals).toMatchObject({ DELIVERED: "SON_DURUM", FAILED: "SON_DURUM", CANCELLED: "SON_DURUM" });
  });
  test("cancels exactly what may be changed", () => {
    for (const status of statuses) {
      const cancels = transitionFrom(lifecycle, status, "cancel") !== undefined;
      expect(cancels, status).toBe(changeRefusal(lifecycle, status) === undefined);
    }
  });
});
