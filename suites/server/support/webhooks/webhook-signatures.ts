import { described } from "../../../core/text/shown-value.ts";
import { type Attempt, kindOf } from "../../session/webhook-receiver/attempt.ts";
import { isSignedWith } from "../../session/webhook-receiver/signature.ts";
import { WebhookFailure } from "../../session/webhook-receiver/webhook-failure.ts";

/**
 * Asserts that each attempt has a valid signature.
 * @param what names the secret's owner
 */
export function expectSigned(
  attempts: readonly Attempt[],
  secret: string,
  what = "the endpoint's secret",
): void {
  const unsigned = attempts.filter((attempt) => !isSignedWith(attempt, secret));
  const [first] = unsigned;
  if (!first) return;
  const kinds = [...new Set(unsigned.map(kindOf))];
  throw new WebhookFailure(
    {
      subject: `the signature of ${kinds.join(", ")}`,
      relation: "to be",
      expected: described(`one that ${what} makes`),
      actual: described(`a different signature on ${unsigned.length} of ${attempts.length} attempts`),
    },
    { attempts: [first], isOfSignature: true },
  );
}

/**
 * Asserts that an attempt has exactly this signature, as a library compares it.
 * @param signature an entry of webhook-signature, such as `v1,<base64>`
 */
export function expectSignatureHeader(attempt: Attempt, signature: string): void {
  const header = attempt.headers["webhook-signature"] ?? "";
  if (header.split(" ").includes(signature)) return;
  throw new WebhookFailure(
    {
      subject: `webhook-signature of ${kindOf(attempt)}`,
      relation: "to include",
      expected: signature,
      actual: header,
    },
    { attempts: [attempt], isOfSignature: true },
  );
}
