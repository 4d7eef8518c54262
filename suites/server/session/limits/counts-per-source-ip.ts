/**
 * The rest of an address's limit by the target's answer, after one more request from there. Undefined if the target
 * gives none.
 */
export type AskForRest<Address> = (address: Address) => Promise<number | undefined>;

/** A window that restarts in the middle of a poll, or a lost answer, misleads that poll alone: two have to agree. */
const MOST_LOOKS = 3;
const LOOKS_THAT_AGREE = 2;
/** Requests that one address sends before the comparison: more than a bucket gives back on the way. */
const REQUESTS = 10;

/**
 * True if the target counts source addresses separately, by its own count: behind a proxy or a port mapping all share
 * one.
 * @param pair two addresses that nothing was sent from yet
 */
export async function countsPerSourceIp<Address>(
  pair: () => readonly [Address, Address],
  restOf: AskForRest<Address>,
): Promise<boolean> {
  const found = { apart: 0, asOne: 0 };
  for (let look = 1; look <= MOST_LOOKS; look += 1) {
    const hasMore = await hasMoreLeft(pair(), restOf);
    if (hasMore !== undefined) found[hasMore ? "apart" : "asOne"] += 1;
    if (Math.max(found.apart, found.asOne) === LOOKS_THAT_AGREE) break;
  }
  return found.apart === LOOKS_THAT_AGREE;
}

/**
 * Sends some requests from one address, then one more concurrently with one from another. The other has more left if
 * the target counts separately. With a common count, the two results differ by one in either order. Undefined if one of
 * the two answers shows no rest.
 */
async function hasMoreLeft<Address>(
  [used, unused]: readonly [Address, Address],
  restOf: AskForRest<Address>,
): Promise<boolean | undefined> {
  await Promise.all(Array.from({ length: REQUESTS }, () => restOf(used)));
  const [left, whole] = await Promise.all([restOf(used), restOf(unused)]);
  return left === undefined || whole === undefined ? undefined : whole > left + 1;
}
