import { type RunOrder, runOrder } from "../engine/order.ts";
import type { ReceiverCheck } from "./check.ts";
import type { Foundation } from "./session/blocking-failure.ts";

/** What checks depend on, in the order in which the run waits for it: responses, then effects. */
export const FOUNDATIONS: readonly Foundation[] = ["responses", "effects"];

export const foundationOf = ({ needs }: ReceiverCheck, foundation: Foundation): boolean =>
  foundation === "responses" || needs.includes(foundation);

/**
 * True if no other check may run concurrently. A burst may run beside other checks if deliveries are
 * concurrent.
 */
export const isExclusive = ({ exclusive, burst }: ReceiverCheck): boolean => exclusive || burst;

/** The check that runs first for each prerequisite. */
export function firstOfEachFoundation(
  checks: readonly ReceiverCheck[],
): ReadonlyMap<Foundation, ReceiverCheck> {
  const { concurrent, serial } = runOrder(checks, isExclusive);
  const inTurn = [...concurrent, ...serial].filter(({ wholeRun }) => !wholeRun);
  return new Map(
    FOUNDATIONS.flatMap((foundation) => {
      const first = inTurn.find((check) => foundationOf(check, foundation));
      return first ? [[foundation, first] as const] : [];
    }),
  );
}

/**
 * The order of checks: prerequisites first, exclusive checks last. Long checks start early. Checks of effects
 * come before checks of only responses, because they take longer.
 * @param isConcurrent true if the deliveries of a check are concurrent: bursts then run beside other checks
 */
export function orderOf(checks: readonly ReceiverCheck[], isConcurrent: boolean): RunOrder<ReceiverCheck> {
  const first = [...firstOfEachFoundation(checks).values()];
  const place = (check: ReceiverCheck): number => {
    if (isExclusive(check)) return 4;
    if (first.includes(check)) return 0;
    if (check.startsEarly) return 1;
    return foundationOf(check, "effects") ? 2 : 3;
  };
  const wholeRun = checks.filter((check) => check.wholeRun);
  const others = checks
    .filter((check) => !check.wholeRun)
    .toSorted((one, other) => place(one) - place(other));
  const mustRunAlone = ({ exclusive }: ReceiverCheck) => exclusive;
  if (!isConcurrent) return { wholeRun, ...runOrder(others, isExclusive) };
  // A check that waits for an exclusive lock would delay every check behind it.
  const { concurrent, serial } = runOrder(others, mustRunAlone);
  return { wholeRun, ahead: [concurrent], concurrent: serial, serial: [] };
}
