import { UsageError } from "../usage-error.ts";

/**
 * Validates a client secret. Removes the line end that a file or the clipboard adds.
 * @param from the source of the value, for the message
 * @throws UsageError without the value
 */
export function clientSecret(value: string, from: string): string {
  if (!/[\r\n]/.test(value)) return value;
  throw new UsageError(`${from} contains a line break: give the secret without it, as "$(cat FILE)" does`);
}

/** The same for a control token. */
export function controlToken(value: string): string {
  if (/^[\x21-\x7e]+$/.test(value)) return value;
  throw new UsageError(
    "the control token contains a space, a line break or another character that headers can't contain: compare it with the service's",
  );
}
