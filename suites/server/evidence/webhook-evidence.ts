import { isoInstant } from "../../core/clock.ts";
import { TEST_KIND } from "../../core/contract/event-kinds.ts";
import { inUnits } from "../../core/durations.ts";
import { excerptOf, type ReportedExchange, type TextBounds, truncate } from "../../core/exchange.ts";
import { CheckFailure } from "../../core/grading/failures/failure.ts";
import type { ReportedWebhook } from "../../core/grading/outcome.ts";
import { RAW_BYTES_ADVICE, recipeOf } from "../../core/signing/signature-recipes.ts";
import { keyOf, signatureOf, signedText } from "../../core/signing/webhook-signing.ts";
import { blamedMember, type MemberPath, namedMember } from "../../core/text/member-paths.ts";
import type { Redactor } from "../../core/text/redact.ts";
import type { SubscriptionSecrets } from "../session/subscriptions/subscription-secrets.ts";
import {
  type Attempt,
  describeAttempt,
  envelopeOf,
  isOfKind,
  kindOf,
  webhookId,
} from "../session/webhook-receiver/attempt.ts";
import type { Inbox } from "../session/webhook-receiver/inbox.ts";
import { isSignedWith, signedParts } from "../session/webhook-receiver/signature.ts";
import { WebhookFailure } from "../session/webhook-receiver/webhook-failure.ts";
import { sentAt, withoutDuplicates } from "../support/webhooks/attempt-times.ts";
import { RETRY_DELAYS_S } from "../support/webhooks/retry-times.ts";

/** A signature must cover the exact bytes that are sent. */
const SIGN_SENT_BYTES = "sign the bytes that are sent, after the last change of the body";

/** The number of webhooks shown with a failure. */
const MAX_REPORTED_WEBHOOKS = 3;

/** The sources of the webhooks that are shown with a failure. */
interface WebhookSources {
  /** The check's endpoints. */
  readonly inboxes: readonly Inbox[];
  readonly secrets: SubscriptionSecrets;
  readonly redact: Redactor;
  /** The attempt that the check examined last. */
  readonly pollSnapshot: PollSnapshot | undefined;
}

/** An examined attempt, and the start of the examination as Unix time in milliseconds. */
export type PollSnapshot = NonNullable<Inbox["evidence"]>;

/** The attempt that a check examined last at these endpoints. */
export const lastPollSnapshot = (inboxes: Iterable<Inbox>): PollSnapshot | undefined =>
  [...inboxes]
    .flatMap(({ evidence: pollSnapshot }) => pollSnapshot ?? [])
    .toSorted((one, other) => one.since - other.since)
    .at(-1);

interface Arrival {
  readonly attempt: Attempt;
  readonly inbox: Inbox;
}

/**
 * The webhooks of a failure, the decisive webhook last: those that the failure names, or the webhook that the
 * check examined last, if the check has sent no request since.
 * @param lastRequestAt the time of the check's last request as Unix time in milliseconds
 */
function evidenceAttempts(
  finding: Error,
  { inboxes, pollSnapshot }: WebhookSources,
  lastRequestAt: number,
): readonly Arrival[] {
  const arrivedAt = (attempt: Attempt) =>
    inboxes.filter((inbox) => inbox.attempts.includes(attempt)).map((inbox) => ({ attempt, inbox }));
  if (finding instanceof WebhookFailure) return finding.attempts.flatMap(arrivedAt);
  return pollSnapshot && pollSnapshot.since >= lastRequestAt ? arrivedAt(pollSnapshot.attempt) : [];
}

/** Unix seconds as ISO 8601 in UTC; undefined after the year 9999. */
const instantOf = (seconds: number): string | undefined =>
  Number.isFinite(seconds) && Math.abs(seconds) < 253_402_300_800 ? isoInstant(seconds * 1000) : undefined;

/** The number of the attempt within its event, and its expected time on the target's clock. */
function scheduleOf({ attempt, inbox }: Arrival): Pick<ReportedWebhook, "attempt" | "due"> {
  const id = webhookId(attempt);
  const sameEvent = withoutDuplicates(inbox.attempts.filter((other) => webhookId(other) === id));
  const index = Math.max(0, sameEvent.indexOf(attempt));
  const before = sameEvent[index - 1];
  const delay = RETRY_DELAYS_S[index - 1];
  if (!before || delay === undefined) {
    const occurred = envelopeOf(attempt).timestamp;
    return { attempt: index + 1, ...(occurred !== undefined && { due: `at once, after ${occurred}` }) };
  }
  const at = instantOf(sentAt(before) + delay);
  return {
    attempt: index + 1,
    ...(at !== undefined && { due: `${at}, ${inUnits(delay)} after attempt ${index}` }),
  };
}

/** The recipe of a retry whose signature has the timestamp of an earlier attempt. Undefined for another signature. */
function earlierTimestamp(header: string, { attempt, inbox }: Arrival, key: Buffer) {
  const received = header.split(" ");
  const parts = signedParts(attempt);
  const isSigned = inbox.attempts
    .filter((other) => other !== attempt && webhookId(other) === webhookId(attempt))
    .map(signedParts)
    .some((earlier) =>
      [earlier, { ...parts, timestamp: earlier.timestamp }].some((signed) =>
        received.includes(signatureOf(key, signed)),
      ),
    );
  return isSigned
    ? {
        signed: "signed with the webhook-timestamp of an earlier attempt",
        fix: "sign each attempt over its own webhook-timestamp",
      }
    : undefined;
}

function signatureFinding(
  { attempt, inbox }: Arrival,
  { secrets, redact }: WebhookSources,
): ReportedWebhook["signature"] {
  const secret = secrets.of(inbox.url, attempt.receivedAt);
  if (secret === undefined) return undefined;
  const parts = signedParts(attempt);
  const header = attempt.headers["webhook-signature"];
  const expected = signatureOf(keyOf(secret), parts);
  // A missing header has no recipe, and a header with the correct entry has no wrong recipe.
  const isExpected = header === undefined || header.split(" ").includes(expected);
  const recipe = isExpected
    ? undefined
    : (recipeOf(header, parts, secret, secrets.othersThan(inbox.url, attempt.receivedAt)) ??
      earlierTimestamp(header, { attempt, inbox }, keyOf(secret)));
  return {
    fits: isSignedWith(attempt, secret),
    signed_text: truncate(signedText(parts).toString(), (text) => redact.body(text)),
    expected,
    received: header === undefined ? "none" : redact.text(header),
    ...(recipe && {
      made: recipe.signed,
      fix: recipe.fix === RAW_BYTES_ADVICE ? SIGN_SENT_BYTES : recipe.fix,
    }),
  };
}

/** The member of a webhook that a finding is about. Undefined if it isn't known. */
function memberOf(finding: Error, { json }: Attempt): MemberPath | undefined {
  if (!(finding instanceof CheckFailure)) return undefined;
  return blamedMember(json, finding.mismatch) ?? namedMember(json, finding.mismatch);
}

function reported(arrived: Arrival, sources: WebhookSources, finding: Error): ReportedWebhook {
  const { attempt } = arrived;
  const { redact } = sources;
  const path = memberOf(finding, attempt);
  const dated = instantOf(sentAt(attempt));
  const signature = signatureFinding(arrived, sources);
  return {
    event: redact.text(describeAttempt(attempt)),
    ...scheduleOf(arrived),
    ...(dated !== undefined && { dated }),
    came: isoInstant(attempt.receivedAt),
    method: attempt.method,
    url: redact.text(arrived.inbox.url),
    headers: redact.headers(attempt.headers),
    body: truncate(new TextDecoder().decode(attempt.bytes), (text) => redact.body(text)),
    ...(path && { blamed: excerptOf(attempt.json, path, redact) }),
    ...(signature && { signature }),
  };
}

/** An endpoint's webhooks with their responses as exchanges. */
export const webhookExchanges = (
  inbox: Inbox,
  redact: Redactor,
  bounds: TextBounds,
): readonly ReportedExchange[] =>
  inbox.attempts.map((attempt, index) => {
    const status = inbox.statuses[index];
    return {
      operation: `webhook ${redact.text(kindOf(attempt) || "without a type")}`,
      started_at: isoInstant(attempt.receivedAt),
      duration_ms: 0,
      request: {
        method: attempt.method,
        url: redact.text(inbox.url),
        headers: redact.headers(attempt.headers),
        body: truncate(new TextDecoder().decode(attempt.bytes), (text) => redact.body(text), bounds),
      },
      ...(status === undefined
        ? { failure: "no response, on purpose" }
        : { response: { status, headers: {}, body: "" } }),
    };
  });

/** The webhooks of a failure, and the hint for its message. */
interface WebhookEvidence {
  readonly webhooks: readonly ReportedWebhook[];
  readonly hint: string | undefined;
  /** The wrong recipe that matches the signatures, if any. */
  readonly fault?: string;
}

/** No webhooks, for findings about a response. */
export const NO_WEBHOOKS: WebhookEvidence = { webhooks: [], hint: undefined };

const isTest = isOfKind(TEST_KIND);

/**
 * The number of other endpoints at which webhooks missing at one endpoint arrived. Test events don't count: those at
 * another endpoint were requested for it.
 */
const arrivedElsewhere = ({ isAmong }: WebhookFailure, { inboxes }: WebhookSources): number =>
  isAmong === undefined || isAmong([])
    ? 0
    : inboxes.filter(({ attempts }) => isAmong(attempts.filter((attempt) => !isTest(attempt)))).length;

/** @param lastRequestAt the time of the check's last request as Unix time in milliseconds */
export function webhookEvidence(
  finding: Error,
  sources: WebhookSources,
  lastRequestAt: number,
): WebhookEvidence {
  const shown = evidenceAttempts(finding, sources, lastRequestAt).slice(-MAX_REPORTED_WEBHOOKS);
  const webhooks = shown.map((arrived) => reported(arrived, sources, finding));
  const elsewhere = finding instanceof WebhookFailure ? arrivedElsewhere(finding, sources) : 0;
  if (elsewhere > 0) {
    const where = elsewhere === 1 ? "another endpoint" : `${elsewhere} other endpoints`;
    return { webhooks, hint: `it arrived at ${where} of the integrator` };
  }
  const isOfSignature = finding instanceof WebhookFailure && finding.isOfSignature;
  const signature = isOfSignature ? webhooks.at(-1)?.signature : undefined;
  if (signature?.made === undefined) return { webhooks, hint: undefined };
  const { made, fix } = signature;
  return { webhooks, hint: `it is ${made} (${fix})`, fault: `webhooks are ${made} (${fix})` };
}
