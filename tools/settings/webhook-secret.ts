import { keyOf } from "../../suites/core/signing/webhook-signing.ts";
import { UsageError } from "../usage-error.ts";

/**
 * Validates the format of a webhook's secret.
 * @param how what to do if it is malformed
 * @throws UsageError without the secret
 */
export function webhookSecret(value: string, how: string): string {
  if (!value.startsWith("whsec_")) throw new UsageError(`the secret doesn't begin with whsec_: ${how}`);
  if (value === "whsec_") throw new UsageError(`nothing follows whsec_ in the secret: ${how}`);
  if (/\s/.test(value)) {
    throw new UsageError(`the secret contains a space or a line break: ${how}, without what follows it`);
  }
  if (!/^whsec_[A-Za-z0-9+/_-]+={0,2}$/.test(value) || keyOf(value).length === 0) {
    throw new UsageError(`what follows whsec_ in the secret isn't base64: ${how}`);
  }
  return value;
}
