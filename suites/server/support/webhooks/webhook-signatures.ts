import { expectThat } from "../../../core/grading/expectations/expect.ts";
import { described } from "../../../core/text/shown-value.ts";
import { type Attempt, kindOf } from "../../session/webhook-receiver/attempt.ts";
import type { Inbox } from "../../session/webhook-receiver/inbox.ts";
import { isSignedWith } from "../../session/webhook-receiver/signature.ts";
import { WebhookFailure } from "../../session/webhook-receiver/webhook-failure.ts";

/**
 * One or more signatures `v1,<base64>`, separated by spaces. Signatures of other versions are allowed too
 * (OPEN-208).
 */
const SIGNATURES = /^(v\w+,\S+ +)*v1,[A-Za-z0-9+/]+={0,2}( +v\w+,\S+)*$/;

/** Asserts that webhook-timestamp is a whole number. */
export const expectTimestampForm = ({ headers }: Attempt): void =>
  expectThat("webhook-timestamp", headers["webhook-timestamp"] ?? "").matches(/^\d+$/);

export const expectSignatureForm = ({ headers }: Attempt): void =>
  expectThat("webhook-signature", headers["webhook-signature"]).matches(SIGNATURES);

/** Asserts the forms of webhook-timestamp and webhook-signature on each received attempt at an endpoint. */
export function expectHeaderForms(inbox: Inbox, attempts: readonly Attempt[] = inbox.attempts): void {
  for (const attempt of attempts) {
    inbox.markAsEvidence(attempt);
    expectTimestampForm(attempt);
    expectSignatureForm(attempt);
  }
}

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
