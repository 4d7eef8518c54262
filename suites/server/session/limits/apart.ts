/** What a target says is left of its limit for an address, after one more request from there; undefined where it says nothing. */
export type AskForRest<Address> = (address: Address) => Promise<number | undefined>;

/** A window may begin anew between two requests of a look, and all is left to the last; of the next look it doesn't as well. */
const LOOKS_THAT_TELL = 2;
/** One more, where an answer was lost on its way. */
const MOST_LOOKS = 3;
/** What the first address sends, so that it has fewer left than another that has sent one. */
const REQUESTS = 3;

/**
 * Whether a target tells source addresses apart, by its own count: behind a proxy or a port mapping all come from one.
 * @param fresh an address that nothing was sent from yet
 */
export async function tellsApart<Address>(
  fresh: () => Address,
  restOf: AskForRest<Address>,
): Promise<boolean> {
  let telling = 0;
  for (let look = 1; look <= MOST_LOOKS && telling < LOOKS_THAT_TELL; look += 1) {
    const hasMore = await hasMoreLeft(fresh(), fresh(), restOf);
    if (hasMore === false) return false;
    if (hasMore) telling += 1;
  }
  return telling === LOOKS_THAT_TELL;
}

/** Some requests from one address, then one from another, which has more left if it counts apart; undefined where not all say. */
async function hasMoreLeft<Address>(
  used: Address,
  unused: Address,
  restOf: AskForRest<Address>,
): Promise<boolean | undefined> {
  const rests = await Promise.all(Array.from({ length: REQUESTS }, () => restOf(used)));
  const whole = await restOf(unused);
  if (whole === undefined || !rests.every((left) => left !== undefined)) return undefined;
  // Of these the least: they may be answered in any order.
  return whole > Math.min(...rests);
}
