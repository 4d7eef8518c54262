/** Units with their length, and the number of seconds from which each is used. */
const UNITS = [
  ["day", 86_400, 86_400],
  ["hour", 3_600, 3_600],
  ["minute", 60, 60],
  ["second", 1, 0.05],
  ["millisecond", 1e-3, 1e-3],
  ["microsecond", 1e-6, 1e-6],
] as const;

const rounded = (count: number): number => Math.round(count * 10) / 10;

/** A time in the largest unit that shows it, with one decimal: `36.3 minutes`. */
export function inUnits(seconds: number): string {
  const [name, length] = UNITS.find(([, , least]) => Math.abs(seconds) >= least) ?? ["second", 1];
  const count = rounded(seconds / length);
  return `${count} ${name}${count === 1 ? "" : "s"}`;
}

/** A time in whole units of the two largest lengths: `6 days 22 hours`. */
export function inTwoUnits(seconds: number): string {
  const index = UNITS.findIndex(([, length]) => seconds >= length);
  const [large, small] = [UNITS[index], UNITS[index + 1]];
  if (large === undefined || small === undefined || large[1] <= 1) return inUnits(seconds);
  const smalls = Math.round(seconds / small[1]);
  const perLarge = large[1] / small[1];
  const parts = [
    [Math.floor(smalls / perLarge), large[0]],
    [smalls % perLarge, small[0]],
  ] as const;
  return parts
    .filter(([count]) => count > 0)
    .map(([count, name]) => `${count} ${name}${count === 1 ? "" : "s"}`)
    .join(" ");
}
