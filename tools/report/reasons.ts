import {
  codesRefused,
  patienceOf,
  patienceText,
  type RefusedCode,
  refusedCodeOf,
} from "../../suites/core/grading/like-reasons.ts";
import type { ReportedCheck } from "./model.ts";

const MINUTE = 60;
const HOUR = 60 * MINUTE;
/** How long a person may let a run wait: a coffee, a meeting, a weekend. Nobody is told to wait for weeks. */
const PATIENCES = [10 * MINUTE, 2 * HOUR, 48 * HOUR];

/** What patience of some lengths brings, of checks that wait for so many seconds each. */
function patienceAdvice(waits: readonly number[]): string {
  const within = (most: number) => waits.filter((seconds) => seconds <= most);
  const steps = PATIENCES.map(within).filter(
    (some, place, all) => some.length > (all[place - 1]?.length ?? 0),
  );
  const flags = steps.map((some, place) => {
    const many = some.length === waits.length ? "all" : some.length;
    return `--patience ${patienceText(Math.max(...some))} brings ${many}${place === 0 ? " of these" : ""}`;
  });
  const left = waits.length - (steps.at(-1)?.length ?? 0);
  const days = `${left === waits.length ? "these" : left} would take longer than two days, and need a clock that can be moved`;
  const advice = [...(flags.length > 0 ? [flags.join(", ")] : []), ...(left > 0 ? [days] : [])].join("; ");
  return `the target's clock can't be moved, and time has to pass: ${advice}`;
}

/** Reasons that belong together, and the sentence for them. */
interface Family {
  isOf(reason: string): boolean;
  told(reasons: readonly string[]): string;
}

const defined = <Value>(values: readonly (Value | undefined)[]): readonly Value[] =>
  values.filter((value) => value !== undefined);

const FAMILIES: readonly Family[] = [
  {
    isOf: (reason) => patienceOf(reason) !== undefined,
    told: (reasons) => patienceAdvice(defined(reasons.map(patienceOf))),
  },
  {
    isOf: (reason) => refusedCodeOf(reason) !== undefined,
    told: (reasons) => codesRefused(defined<RefusedCode>(reasons.map(refusedCodeOf))),
  },
];

/** Each reason once, with its checks; reasons that differ by a number alone are one. */
export function byReason(checks: readonly ReportedCheck[]): ReadonlyMap<string, readonly ReportedCheck[]> {
  const reasonOf = ({ message = "no reason given" }: ReportedCheck) => message;
  const groups = Map.groupBy(checks, (check) => {
    const reason = reasonOf(check);
    return FAMILIES.find((family) => family.isOf(reason)) ?? reason;
  });
  return new Map(
    [...groups].map(([group, alike]) => {
      return [typeof group === "string" ? group : group.told(alike.map(reasonOf)), alike];
    }),
  );
}
