/**
 * Sends a request from an address, and returns the number of remaining requests. Undefined if the target's
 * response contains no such number.
 */
type RemainingRequests<Address> = (address: Address) => Promise<number | undefined>;

/**
 * The maximum number of comparisons. A new window or a lost response spoils a comparison, so two must agree.
 */
const MAX_COMPARISONS = 3;
const AGREEING_COMPARISONS = 2;
/**
 * The number of requests from one address before the comparison. A bucket refills fewer requests in that time.
 */
const REQUESTS = 5;

/**
 * True if the target counts source addresses separately. Behind a proxy or port mapping, all addresses share
 * one count.
 * @param pair returns two unused addresses
 */
export async function countsPerSourceIp<Address>(
  pair: () => readonly [Address, Address],
  remainingFor: RemainingRequests<Address>,
): Promise<boolean> {
  const found = { separate: 0, shared: 0 };
  for (let comparison = 1; comparison <= MAX_COMPARISONS; comparison += 1) {
    const hasMore = await hasMoreLeft(pair(), remainingFor);
    if (hasMore !== undefined) found[hasMore ? "separate" : "shared"] += 1;
    if (Math.max(found.separate, found.shared) === AGREEING_COMPARISONS) break;
  }
  return found.separate === AGREEING_COMPARISONS;
}

/**
 * Sends requests from one address, and then two concurrent requests: one from the same address, and one from
 * another address. If the target counts separately, the other address has more requests left. With a common
 * count, the results differ by one. Undefined if a response contains no count.
 */
async function hasMoreLeft<Address>(
  [used, unused]: readonly [Address, Address],
  remainingFor: RemainingRequests<Address>,
): Promise<boolean | undefined> {
  await Promise.all(Array.from({ length: REQUESTS }, () => remainingFor(used)));
  const [left, whole] = await Promise.all([remainingFor(used), remainingFor(unused)]);
  return left === undefined || whole === undefined ? undefined : whole > left + 1;
}
