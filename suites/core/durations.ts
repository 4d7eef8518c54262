const UNITS = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
] as const;

const rounded = (count: number): number => Math.round(count * 10) / 10;

/** A time in the largest unit of which it is at least one, with one decimal: `36.3 minutes`. */
export function inUnits(seconds: number): string {
  const [name, length] = UNITS.find((unit) => Math.abs(seconds) >= unit[1]) ?? ["second", 1];
  const count = rounded(seconds / length);
  return `${count} ${name}${count === 1 ? "" : "s"}`;
}
