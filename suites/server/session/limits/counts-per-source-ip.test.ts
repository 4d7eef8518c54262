import { expect, test } from "vitest";
import { countsPerSourceIp } from "./counts-per-source-ip.ts";

/** Requests of one poll: eleven from one address, and the last one concurrently from another. */
const COMPARED = 12;

interface Target {
  /** The key by which the target counts a request of this address. */
  readonly keyOf: (address: number) => number;
  /** The request before which a new window begins. */
  readonly anewBefore?: number;
  /** The index of the lost response. */
  readonly lost?: number;
  /** The requests that a bucket refills before the last two of each poll. */
  readonly givesBack?: number;
}

function foundAt({ keyOf, anewBefore, lost, givesBack = 0 }: Target) {
  let addresses = 0;
  let asked = 0;
  const used = new Map<number, number>();
  const restOf = async (address: number) => {
    asked += 1;
    if (asked === anewBefore) used.clear();
    const key = keyOf(address);
    if (asked % COMPARED === COMPARED - 1) used.set(key, Math.max(0, (used.get(key) ?? 0) - givesBack));
    const count = (used.get(key) ?? 0) + 1;
    used.set(key, count);
    return asked === lost ? undefined : 300 - count;
  };
  return countsPerSourceIp(() => [addresses++, addresses++], restOf);
}

const separate = (address: number) => address;
const shared = () => 0;
const REQUESTS = Array.from({ length: 2 * COMPARED }, (_, index) => index + 1);

test("a target that counts per address is detected, whenever a new window begins", async () => {
  expect(await foundAt({ keyOf: separate })).toBe(true);
  for (const anewBefore of REQUESTS) expect(await foundAt({ keyOf: separate, anewBefore })).toBe(true);
});

test("a target with one count for all addresses isn't misdetected", async () => {
  expect(await foundAt({ keyOf: shared })).toBe(false);
  for (const anewBefore of REQUESTS) expect(await foundAt({ keyOf: shared, anewBefore })).toBe(false);
});

test("a refilling bucket on a distant target isn't misdetected", async () => {
  for (const givesBack of [2, 5, 10]) expect(await foundAt({ keyOf: shared, givesBack })).toBe(false);
  for (const givesBack of [2, 5]) expect(await foundAt({ keyOf: separate, givesBack })).toBe(true);
});

test("a lost response decides nothing", async () => {
  for (const lost of REQUESTS) {
    expect(await foundAt({ keyOf: separate, lost })).toBe(true);
    expect(await foundAt({ keyOf: shared, lost })).toBe(false);
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
