/** Reasons for a skip that only differ in numbers or in the failure, as data, so that reports can group them. */
export type SkipReason = WaitNeeded | CodesRefused | OutOfTime;

interface WaitNeeded {
  readonly kind: "wait needed";
  readonly seconds: number;
}

interface CodesRefused {
  readonly kind: "codes refused";
  readonly codes: readonly RefusedCode[];
}

/** The check failed, and couldn't be repeated in time. */
interface OutOfTime {
  readonly kind: "out of time";
}

/** A refused pairing code by its position, because the code is a secret. */
export interface RefusedCode {
  readonly place: number;
  readonly of: number;
  readonly code: string;
}

const OUT_OF_TIME = "confirming other failures used up the time for it";

/** Seconds in words, in the form of --max-wait; rounded up. */
const waitText = (seconds: number): string =>
  seconds < 120
    ? `${seconds}s`
    : seconds < 7200
      ? `${Math.ceil(seconds / 60)}m`
      : `${Math.ceil(seconds / 3600)}h`;

const ordinals = new Intl.PluralRules("en", { type: "ordinal" });
const SUFFIX: Readonly<Record<string, string>> = { one: "st", two: "nd", few: "rd", other: "th" };

/** Ordinals: 1st, 2nd, 3rd, 11th. */
const ordinal = (place: number): string => `${place}${SUFFIX[ordinals.select(place)] ?? "th"}`;

function codesText({ codes }: CodesRefused): string {
  const [{ of, code } = { of: 0, code: "" }] = codes;
  const places = [...new Set(codes.map(({ place }) => place))].toSorted((one, other) => one - other);
  const named = new Intl.ListFormat("en-GB").format(places.map(ordinal));
  const were = places.length === 1 ? "was refused" : "were refused";
  const which = of === 1 ? "the only given pairing code" : `the ${named} of ${of} pairing codes`;
  return `${which} ${were} (${code}): used up, expired or mistyped?`;
}

/** The reason for skipping one check, in a line. */
export function reasonText(reason: SkipReason): string {
  if (reason.kind === "codes refused") return codesText(reason);
  if (reason.kind === "out of time") return OUT_OF_TIME;
  const wait = waitText(reason.seconds);
  return `the target's clock can't be advanced, and waiting takes ${wait}: give --max-wait ${wait}`;
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
/** Values that the suite suggests for --max-wait. */
const SUGGESTED_WAITS = [MINUTE, 10 * MINUTE, 2 * HOUR, 48 * HOUR];

/** Suggested values of `--max-wait`, with the number of these checks that each allows. */
function maxWaitAdvice(waits: readonly number[]): string {
  const within = (most: number) => waits.filter((seconds) => seconds <= most);
  const steps = SUGGESTED_WAITS.map(within).filter(
    (some, place, all) => some.length > (all[place - 1]?.length ?? 0),
  );
  const flags = steps.map((some, place) => {
    const many = some.length === waits.length ? "all" : some.length;
    return `--max-wait ${waitText(Math.max(...some))} allows ${many}${place === 0 ? " of these" : ""}`;
  });
  const remaining = waits.length - (steps.at(-1)?.length ?? 0);
  const days = `${remaining === waits.length ? "these" : remaining} would take longer than two days, and need a clock that can be advanced`;
  const advice = [...(flags.length > 0 ? [flags.join(", ")] : []), ...(remaining > 0 ? [days] : [])].join(
    "; ",
  );
  return `the target's clock can't be advanced, and time has to pass: ${advice}`;
}

/** A skipped check: its reason as data if many checks share it, and in words. */
interface Skipped {
  readonly skip?: SkipReason;
  readonly message?: string;
}

/** The line for checks that are skipped for reasons of one kind. */
function sharedText(reasons: readonly SkipReason[]): string {
  const waits = reasons.filter((reason) => reason.kind === "wait needed");
  if (waits.length > 0) return maxWaitAdvice(waits.map(({ seconds }) => seconds));
  const refused = reasons.filter((reason) => reason.kind === "codes refused");
  if (refused.length > 0)
    return codesText({ kind: "codes refused", codes: refused.flatMap(({ codes }) => codes) });
  return `failed, and not confirmed: ${OUT_OF_TIME}`;
}

/** Skipped checks by reason. Reasons of the same kind are one group. */
export function groupByReason<Check extends Skipped>(
  checks: readonly Check[],
): ReadonlyMap<string, readonly Check[]> {
  const groups = Map.groupBy(checks, ({ skip, message = "no reason given" }) => skip?.kind ?? message);
  return new Map(
    [...groups].map(([reason, skipped]) => {
      const reasons = skipped.flatMap(({ skip }) => skip ?? []);
      return [reasons.length > 0 ? sharedText(reasons) : reason, skipped];
    }),
  );
}
