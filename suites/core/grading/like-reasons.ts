/** Reasons why checks can't look that differ by a number alone: made here, known again, and told together. */

/** Seconds as a person says them, in the form that --patience takes; rounded up. */
const patienceText = (seconds: number): string =>
  seconds < 120
    ? `${seconds}s`
    : seconds < 7200
      ? `${Math.ceil(seconds / 60)}m`
      : `${Math.ceil(seconds / 3600)}h`;

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600 };

/** Why a check that lets time pass can't look where nobody moves the clock. */
export const needsPatience = (seconds: number): string =>
  `the target's clock can't be moved, and waiting takes ${patienceText(seconds)}: give --patience ${patienceText(seconds)}`;

/** How many seconds a check has to wait, of the reason above; undefined for another. */
function patienceOf(reason: string): number | undefined {
  const [, amount, unit = ""] =
    /^the target's clock can't be moved, and waiting takes (\d+)([smh]): give --patience \1\2$/.exec(
      reason,
    ) ?? [];
  const factor = SECONDS[unit];
  return amount === undefined || factor === undefined ? undefined : Number(amount) * factor;
}

const ordinals = new Intl.PluralRules("en", { type: "ordinal" });
const SUFFIX: Readonly<Record<string, string>> = { one: "st", two: "nd", few: "rd", other: "th" };

/** 1st, 2nd, 3rd, 11th: how a person counts. */
const ordinal = (place: number): string => `${place}${SUFFIX[ordinals.select(place)] ?? "th"}`;

/** One of the pairing codes that were given, by its place among them: the code is a secret. */
export interface RefusedCode {
  readonly place: number;
  readonly of: number;
  /** What the target called it. */
  readonly code: string;
}

/** Why a check can't look whose pairing codes were refused. */
export function codesRefused(refused: readonly RefusedCode[]): string {
  const [{ of, code } = { of: 0, code: "" }] = refused;
  const places = [...new Set(refused.map(({ place }) => place))].toSorted((one, other) => one - other);
  const named = new Intl.ListFormat("en-GB").format(places.map(ordinal));
  const were = places.length === 1 ? "was refused" : "were refused";
  const codes = of === 1 ? "the one pairing code that is given" : `the ${named} of ${of} pairing codes`;
  return `${codes} ${were} (${code}): used up, expired or mistyped?`;
}

/** Which code one check was refused, of the reason above; undefined for another. */
function refusedCodeOf(reason: string): RefusedCode | undefined {
  const [, place, of, code] =
    /^the (\d+)\w\w of (\d+) pairing codes was refused \((\w+)\): used up, expired or mistyped\?$/.exec(
      reason,
    ) ?? [];
  return code === undefined ? undefined : { place: Number(place), of: Number(of), code };
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
/** How long a person may let a run wait: a moment, a coffee, a meeting, a weekend. Nobody is told to wait for weeks. */
const PATIENCES = [MINUTE, 10 * MINUTE, 2 * HOUR, 48 * HOUR];

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
export function byReason<Check extends { readonly message?: string }>(
  checks: readonly Check[],
): ReadonlyMap<string, readonly Check[]> {
  const reasonOf = ({ message = "no reason given" }: Check) => message;
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
