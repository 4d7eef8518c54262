import type { Outcome } from "../outcome.ts";

/** Statuses of a server that doesn't serve the path, or redirects it. */
export const isAbsentStatus = (status: number): boolean =>
  status === 404 || status === 405 || status === 501 || (status >= 300 && status <= 399);

const UUID_IN_PATH = /\/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(\/|\?|$)/i;

/**
 * Why an operation may be absent. A 404 to a path with an id may also mean that the server doesn't find its own
 * record, for example because it compares ids in another letter case.
 */
function reasonFor(status: number, url: string): string {
  const mayBeUnknown = status === 404 && UUID_IN_PATH.test(url);
  return mayBeUnknown
    ? "it isn't implemented, is at another path, or doesn't find the id in its path"
    : "it isn't implemented, or is at another path";
}

/**
 * A failure at an operation that never succeeded because the server doesn't serve its path. The message says
 * so, and suggests no known fault. Undefined if the response shows something else.
 */
export function asAbsent(failed: Outcome): Outcome | undefined {
  const exchange = failed.exchanges?.at(-1);
  const status = exchange?.response?.status;
  if (failed.status !== "failed" || exchange === undefined || status === undefined || !isAbsentStatus(status))
    return undefined;
  const { message = "", relation } = failed;
  // Other failures already name the missing part.
  const explained =
    relation === "to answer" ? `${message}: ${reasonFor(status, exchange.request.url)}` : message;
  return { ...failed, message: explained, absent: true };
}
