import { keyOf } from "../../suites/core/signing/webhook-signing.ts";
import { UsageError } from "../usage-error.ts";

/**
 * Validates a webhook secret.
 * @param advice what to do if the secret is malformed
 * @throws UsageError, whose message doesn't contain the secret
 */
export function webhookSecret(value: string, advice: string): string {
  if (!value.startsWith("whsec_")) throw new UsageError(`the secret doesn't begin with whsec_: ${advice}`);
  if (value === "whsec_") throw new UsageError(`nothing follows whsec_ in the secret: ${advice}`);
  if (/\s/.test(value)) {
    throw new UsageError(`the secret contains a space or a line break, which no secret has: ${advice}`);
  }
  if (!/^whsec_[A-Za-z0-9+/_-]+={0,2}$/.test(value) || keyOf(value).length === 0) {
    throw new UsageError(`the part after whsec_ in the secret isn't base64: ${advice}`);
  }
  return value;
}
