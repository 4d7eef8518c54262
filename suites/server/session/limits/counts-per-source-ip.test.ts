import { expect, test } from "vitest";
import { countsPerSourceIp } from "./counts-per-source-ip.ts";

/** The number of requests of one comparison: eleven from one address, and a concurrent one from another. */
const COMPARED = 12;

interface Target {
  /** The key by which the target counts a request of this address. */
  readonly keyOf: (address: number) => number;
  /** The number of the request before which a new window begins. */
  readonly newWindowBefore?: number;
  /** The index of the response that is lost. */
  readonly lost?: number;
  /** The number of requests that a bucket refills before the last two requests of each comparison. */
  readonly refilled?: number;
}

function detects({ keyOf, newWindowBefore, lost, refilled = 0 }: Target) {
  let addresses = 0;
  let asked = 0;
  const used = new Map<number, number>();
  const remainingFor = async (address: number) => {
    asked += 1;
    if (asked === newWindowBefore) used.clear();
    const key = keyOf(address);
    if (asked % COMPARED === COMPARED - 1) used.set(key, Math.max(0, (used.get(key) ?? 0) - refilled));
    const count = (used.get(key) ?? 0) + 1;
    used.set(key, count);
    return asked === lost ? undefined : 300 - count;
  };
  return countsPerSourceIp(() => [addresses++, addresses++], remainingFor);
}

const separate = (address: number) => address;
const shared = () => 0;
const REQUESTS = Array.from({ length: 2 * COMPARED }, (_, index) => index + 1);

test("a target that counts per address is detected, whenever a new window begins", async () => {
  expect(await detects({ keyOf: separate })).toBe(true);
  for (const newWindowBefore of REQUESTS)
    expect(await detects({ keyOf: separate, newWindowBefore })).toBe(true);
});

test("a target with one count for all addresses isn't misdetected", async () => {
  expect(await detects({ keyOf: shared })).toBe(false);
  for (const newWindowBefore of REQUESTS)
    expect(await detects({ keyOf: shared, newWindowBefore })).toBe(false);
});

test("a refilling bucket on a distant target isn't misdetected", async () => {
  for (const refilled of [2, 5, 10]) expect(await detects({ keyOf: shared, refilled })).toBe(false);
  for (const refilled of [2, 5]) expect(await detects({ keyOf: separate, refilled })).toBe(true);
});

test("a lost response decides nothing", async () => {
  for (const lost of REQUESTS) {
    expect(await detects({ keyOf: separate, lost })).toBe(true);
    expect(await detects({ keyOf: shared, lost })).toBe(false);
  }
});

test("a target that doesn't show remaining requests isn't detected", async () => {
  expect(
    await countsPerSourceIp(
      () => [0, 1],
      async () => undefined,
    ),
  ).toBe(false);
});
