import { type RunOrder, runOrder } from "../engine/order.ts";
import type { ReceiverCheck } from "./check.ts";
import type { Foundation } from "./session/blocking-failure.ts";

/** Prerequisites of other checks, in the order in which the run waits for them. */
export const FOUNDATIONS: readonly Foundation[] = ["responses", "effects"];

export const buildsOn = ({ needs }: ReceiverCheck, foundation: Foundation): boolean =>
  foundation === "responses" || needs.includes(foundation);

/** The check that runs first for each prerequisite. */
export function firstOnes(checks: readonly ReceiverCheck[]): ReadonlyMap<Foundation, ReceiverCheck> {
  const { concurrent, serial } = runOrder(checks, ({ alone }) => alone);
  const inTurn = [...concurrent, ...serial].filter(({ wholeRun }) => !wholeRun);
  return new Map(
    FOUNDATIONS.flatMap((foundation) => {
      const first = inTurn.find((check) => buildsOn(check, foundation));
      return first ? [[foundation, first] as const] : [];
    }),
  );
}

/**
 * The order of checks: prerequisites first, exclusive ones last. Checks of effects come before checks of
 * responses only, because they take longer.
 */
export function orderOf(checks: readonly ReceiverCheck[]): RunOrder<ReceiverCheck> {
  const ahead = [...firstOnes(checks).values()];
  const place = (check: ReceiverCheck): number =>
    ahead.includes(check) ? 0 : buildsOn(check, "effects") ? 1 : 2;
  const others = checks.filter(({ wholeRun }) => !wholeRun);
  return {
    ...runOrder(
      others.toSorted((one, other) => place(one) - place(other)),
      ({ alone }) => alone,
    ),
    wholeRun: checks.filter(({ wholeRun }) => wholeRun),
  };
}
