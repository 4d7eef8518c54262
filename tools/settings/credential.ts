import { UsageError } from "../usage-error.ts";

/**
 * Validates a client secret. Files and the clipboard often add a line break, which is refused.
 * @param from the source of the value, for the message
 * @throws UsageError, whose message doesn't contain the secret
 */
export function clientSecret(value: string, from: string): string {
  if (!/[\r\n]/.test(value)) return value;
  throw new UsageError(
    `${from} contains a line break: give the secret without the line break, for example as "$(cat FILE)"`,
  );
}

/** @throws UsageError, whose message doesn't contain the token */
export function controlToken(value: string): string {
  if (/^[\x21-\x7e]+$/.test(value)) return value;
  throw new UsageError(
    "the control token contains a space, a line break or another character that headers can't contain: compare it with the token that the service expects",
  );
}
