/** What a target says is left of its limit for an address, after one more request from there; undefined where it says nothing. */
export type AskForRest<Address> = (address: Address) => Promise<number | undefined>;

/** A window may begin anew between two requests of a look; between those of the next it doesn't as well. */
const LOOKS = 2;

/**
 * Whether a target tells source addresses apart, by its own count: behind a proxy or a port mapping all come from one.
 * @param fresh an address that nothing was sent from yet
 */
export async function tellsApart<Address>(
  fresh: () => Address,
  restOf: AskForRest<Address>,
): Promise<boolean> {
  for (let look = 1; look <= LOOKS; look += 1) {
    if (await hasMoreLeft(fresh(), fresh(), restOf)) return true;
  }
  return false;
}

/** Some requests from one address, then one from another, which has more left if it counts apart. */
async function hasMoreLeft<Address>(used: Address, unused: Address, restOf: AskForRest<Address>) {
  await restOf(used);
  await restOf(used);
  const left = await restOf(used);
  const whole = await restOf(unused);
  return left !== undefined && whole !== undefined && whole > left;
}
