import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import type { Dependencies } from "../../../reference-server/dependencies.ts";
import { signatureRemark } from "../../core/grading/failures/webhook-text.ts";
import type { Outcome } from "../../core/grading/outcome.ts";
import { checks } from "../checks/index.ts";
import { mutantOf } from "../mutants/index.ts";
import { runMutant } from "../mutants/run-mutant.ts";

const SECOND_MS = 1000;

/** The outcome of a check on a server with a fault. */
async function outcomeOn(mutate: (deps: Dependencies) => Dependencies, id: string): Promise<Outcome> {
  const chosen = checks.filter((check) => check.id === id);
  const outcome = (await runMutant({ fault: "for this test", mutate }, chosen)).get(id);
  if (!outcome) throw new Error(`${id} didn't run`);
  return outcome;
}
const onMutant = (mutant: string, id: string) => outcomeOn(mutantOf(mutant).mutate, id);

const signing =
  (sign: (secret: string, id: string, timestamp: string, body: string) => string) =>
  (deps: Dependencies): Dependencies => ({
    ...deps,
    signer: { ...deps.signer, sign: (_, secret, id, timestamp, body) => sign(secret, id, timestamp, body) },
  });
const decoded = (secret: string) => Buffer.from(secret.replace("whsec_", ""), "base64");
const hmac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text).digest("base64");
/** Signs another text than the one that is sent. */
const overText = (text: (id: string, timestamp: string, body: string) => string) =>
  signing((secret, ...parts) => `v1,${hmac(decoded(secret), text(...parts))}`);

const wrong: Readonly<Record<string, [mutate: (deps: Dependencies) => Dependencies, told: RegExp]>> = {
  "the secret isn't decoded": [
    signing((secret, id, timestamp, body) => `v1,${hmac(secret, `${id}.${timestamp}.${body}`)}`),
    /: it is signed with the secret's text \(the key is the base64 after whsec_, decoded\)$/,
  ],
  "the secret isn't decoded, and its prefix is removed": [
    mutantOf("secret-is-not-decoded").mutate,
    /: it is signed with the secret's text without its prefix \(/,
  ],
  "the prefix is kept": [
    mutantOf("secret-keeps-its-prefix").mutate,
    /: it is signed with the secret decoded together with its prefix \(/,
  ],
  "without id": [mutantOf("signature-without-the-id").mutate, /: it is signed without the webhook-id \(/],
  "without timestamp": [
    mutantOf("signature-without-the-timestamp").mutate,
    /: it is signed without the webhook-timestamp \(/,
  ],
  milliseconds: [
    overText((id, timestamp, body) => `${id}.${timestamp}417.${body}`),
    /: it is signed with the timestamp in milliseconds \(/,
  ],
  hex: [mutantOf("signature-in-hex").mutate, /: it is signed in hex \(/],
  "the secret's text, over the body alone": [
    signing((secret, _, __, body) => `v1,${hmac(secret, body)}`),
    /: it is signed with the secret's text, and over the body alone \(/,
  ],
  "a reserialised body": [
    overText((id, timestamp, body) => `${id}.${timestamp}.${JSON.stringify(JSON.parse(body), null, 2)}`),
    /: it is signed over the body serialised again on several lines \(sign the bytes that are sent/,
  ],
  "a trailing newline": [
    overText((id, timestamp, body) => `${id}.${timestamp}.${body}\n`),
    /: it is signed over the body with an additional line end \(/,
  ],
  "SHA-1": [mutantOf("signature-with-sha-1").mutate, /: it is signed with HMAC-SHA1 \(/],
};

test.each(Object.entries(wrong))("a failure names the wrong signature recipe: %s", async (_, fault) => {
  const [mutate, told] = fault;
  const { status, message, webhooks } = await outcomeOn(mutate, "signatures.of-events");
  expect(status).toBe("failed");
  expect(message).toMatch(
    /^expected the signature of delivery\.created, .* to be one that the endpoint's secret makes, got a different signature /,
  );
  expect(message).toMatch(told);
  expect(webhooks?.at(-1)?.signature).toMatchObject({ fits: false, made: expect.any(String) });
});

test("the secret of another subscription is distinguished from an earlier one of the same endpoint", async () => {
  const another = await onMutant("one-secret-for-all-endpoints", "signatures.own-secrets");
  expect(another.message).toMatch(/: it is signed with another subscription's secret \(/);
  const older = await onMutant("rotation-is-not-kept", "subscriptions.rotation-takes-over");
  expect(older.message).toMatch(/: it is signed with an earlier secret of the endpoint, number 1 of 3 \(/);
});

test("a retry with the signature of the first attempt's timestamp is recognised", async () => {
  const { message } = await onMutant("retry-keeps-the-first-signature", "retries.each-is-genuine");
  expect(message).toMatch(/: it is signed with the webhook-timestamp of an earlier attempt \(/);
});

test("a digest that is right in another alphabet fits, and the report names that alphabet", async () => {
  const { status, message, webhooks } = await onMutant("signature-in-base64url", "signatures.library");
  expect(status).toBe("failed");
  expect(message).toMatch(
    /^expected webhook-signature of delivery\.\w+ to include 'v1,.+', got 'v1,.+': it is signed in base64url \(/,
  );
  const signature = webhooks?.at(-1)?.signature;
  expect(signature).toMatchObject({ fits: true, made: "signed in base64url" });
  expect(signatureRemark(signature)).toMatch(/^its digest fits, but it is signed in base64url \(/);
});

test("if no recipe fits, none is named, and the webhook is shown unchanged", async () => {
  const { message, webhooks } = await outcomeOn(
    signing(() => `v1,${hmac("a key that nobody knows", "")}`),
    "signatures.of-events",
  );
  expect(message).toMatch(
    / to be one that the endpoint's secret makes, got a different signature on \d+ of \d+ attempts$/,
  );
  const [webhook] = webhooks ?? [];
  expect(webhook).toMatchObject({ attempt: 1, method: "POST", signature: { fits: false } });
  const {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": came,
  } = webhook?.headers ?? {};
  expect(webhook?.signature?.signed_text).toBe(`${id}.${timestamp}.${webhook?.body}`);
  expect(webhook?.signature?.received).toBe(came);
  expect(webhook?.signature?.made).toBeUndefined();
  expect(webhook?.due).toMatch(/^at once, after \d{4}-/);
});

test("an early attempt is shown with its expected time", async () => {
  const { message, webhooks } = await onMutant("attempt-5-too-early", "retries.schedule");
  expect(message).toEqual(
    expect.stringMatching(
      /^expected attempt 5 to arrive 2 hours after attempt 4, got 7190 seconds after it: 7194 seconds to 2\.4 hours are allowed$/,
    ),
  );
  const [fourth, fifth] = (webhooks ?? []).slice(-2);
  const interval = Date.parse(fifth?.dated ?? "") - Date.parse(fourth?.dated ?? "");
  expect(interval).toBe(7_190 * SECOND_MS);
  expect(fifth?.due).toMatch(/^\d{4}-.*, 2 hours after attempt 4$/);
});

test("a member that no event has is reported with an event and its members", async () => {
  const { message, actual, webhooks } = await onMutant(
    "webhook-without-collected-parts",
    "emission.payment-and-loss",
  );
  expect(message).toMatch(
    /^expected the fields of data.payment in the events .* to include .?collected_parts/,
  );
  expect(actual).toMatch(/amount_due/);
  expect(webhooks).toMatchObject([{ event: expect.stringMatching(/^delivery\./), attempt: 1 }]);
});

test("a failure of a response shows no webhook", async () => {
  const outcome = await onMutant("webhook-list-shows-secrets", "subscriptions.list");
  expect(outcome.webhooks).toBeUndefined();
});

test("the message about an event too many names the request that caused it", async () => {
  const mutants = ["cancellation-reported-as-change-too", "change-after-the-end-reported"] as const;
  const outcomes = mutants.map((mutant) => onMutant(mutant, "emission.refused-change"));
  expect((await Promise.all(outcomes)).map(({ message }) => message)).toEqual([
    "the events of the accepted cancellation: unexpected 'delivery.updated'",
    "expected the events of the refused requests after the cancellation to be [], got [ 'delivery.updated' ]",
  ]);
});
