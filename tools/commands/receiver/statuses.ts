import { STATES_WITHOUT_STRING, type Statuses } from "../../../suites/receiver/session/statuses.ts";
import { UsageError } from "../../usage-error.ts";

const NAMES = STATES_WITHOUT_STRING.join(", ");
const letters = (text: string): string => text.toLowerCase().replaceAll(/[^a-z]/g, "");

/** A state and its string, from `delivered=TESLIM` or from a string that spells the state's name. */
function entryOf(entry: string): readonly [name: string, string: string] {
  const [before = "", ...after] = entry.split("=");
  const named = after.length > 0;
  const string = named ? after.join("=").trim() : before.trim();
  const name = STATES_WITHOUT_STRING.find((one) =>
    named ? one === before.trim() : letters(one) === letters(string),
  );
  if (name === undefined && named) {
    throw new UsageError(
      `--statuses: ${before.trim()} is no state whose string isn't shown; there are ${NAMES}`,
    );
  }
  if (name === undefined || string === "") {
    throw new UsageError(
      `--statuses doesn't say which state ${entry} is: write delivered=TESLIM; there are ${NAMES}`,
    );
  }
  return [name, string];
}

/**
 * The service's strings for states, from a flag.
 * @param entries `at_pickup=RESTORANDA`, or a string that spells its state's name: `AT_PICKUP`
 * @throws UsageError in one line
 */
export function statusesFrom(entries: readonly string[]): Statuses {
  const pairs = entries.map(entryOf);
  const twice = pairs.find(([name], i) => pairs.slice(0, i).some(([other]) => other === name));
  if (twice) throw new UsageError(`--statuses gives ${twice[0]} twice`);
  return Object.fromEntries(pairs);
}
