/** A request's `Prefer` header (RFC 7240), which the service doesn't have. */
interface Preference {
  /** A status or an error code; undefined for the normal response. */
  readonly code: string | undefined;
  /** Milliseconds. */
  readonly delayMs: number;
}

/** The longest delay that a request may ask for. */
export const longestDelayMs = 120_000;

const code = /^(?:[45]\d\d|[A-Z_]{3,30})$/;

/** `code=429, delay=2s`; other preferences are ignored. */
export function preferenceIn(header: string | string[] | undefined): Preference {
  const wishes = new Map(
    [header ?? []]
      .flat()
      .flatMap((line) => line.split(/[,;]/))
      .map((preference) => {
        const [name = "", value = ""] = preference.split("=");
        return [name.trim().toLowerCase(), value.trim().replaceAll('"', "")];
      }),
  );
  const asked = wishes.get("code");
  return {
    code: asked !== undefined && code.test(asked) ? asked : undefined,
    delayMs: delayIn(wishes.get("delay") ?? ""),
  };
}

function delayIn(text: string): number {
  const [, amount, unit] = /^(\d{1,6})(ms|s)?$/.exec(text) ?? [];
  return Math.min(Number(amount ?? 0) * (unit === "ms" ? 1 : 1000), longestDelayMs);
}
