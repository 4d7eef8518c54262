import type { Outcome } from "../outcome.ts";

/** Statuses of a server that doesn't serve the path, or redirects it. */
export const isAbsentStatus = (status: number): boolean =>
  status === 404 || status === 405 || status === 501 || (status >= 300 && status <= 399);

/**
 * A failure at an operation that never succeeded because the server doesn't serve its path. The message says
 * so, and suggests no known fault. Undefined if the response shows something else.
 */
export function asAbsent(failed: Outcome): Outcome | undefined {
  const status = failed.exchanges?.at(-1)?.response?.status;
  if (failed.status !== "failed" || status === undefined || !isAbsentStatus(status)) return undefined;
  const { message = "", relation } = failed;
  // Other failures already name the missing part.
  const explained =
    relation === "to answer" ? `${message}: it isn't implemented, or is at another path` : message;
  return { ...failed, message: explained, absent: true };
}
