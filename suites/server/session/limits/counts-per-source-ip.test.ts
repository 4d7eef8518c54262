import { expect, test } from "vitest";
import { countsPerSourceIp } from "./counts-per-source-ip.ts";

/** Requests of one poll: eleven from one address, and the last one concurrently from another. */
const COMPARED = 12;

interface Target {
  /** The key under which it counts a request of this address. */
  readonly keyOf: (address: number) => number;
  /** Before which of all requests its window begins anew. */
  readonly anewBefore?: number;
  /** The index of the lost answer. */
  readonly lost?: number;
  /** Requests that a bucket gives back before each poll's last two, up to all of them. */
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

test("a target with a count for each address is found, whenever its window begins anew", async () => {
  expect(await foundAt({ keyOf: separate })).toBe(true);
  for (const anewBefore of REQUESTS) expect(await foundAt({ keyOf: separate, anewBefore })).toBe(true);
});

test("a target with one count for all is not found", async () => {
  expect(await foundAt({ keyOf: shared })).toBe(false);
  for (const anewBefore of REQUESTS) expect(await foundAt({ keyOf: shared, anewBefore })).toBe(false);
});

test("nor is it misled by a bucket that gives back what was used, where the target is far", async () => {
  for (const givesBack of [2, 5, 10]) expect(await foundAt({ keyOf: shared, givesBack })).toBe(false);
  for (const givesBack of [2, 5]) expect(await foundAt({ keyOf: separate, givesBack })).toBe(true);
});

test("an answer that is lost tells nothing of either", async () => {
  for (const lost of REQUESTS) {
    expect(await foundAt({ keyOf: separate, lost })).toBe(true);
    expect(await foundAt({ keyOf: shared, lost })).toBe(false);
  }
});

test("one that shows no remaining requests is not found", async () => {
  expect(
    await countsPerSourceIp(
      () => [0, 1],
      async () => undefined,
    ),
  ).toBe(false);
});
