/**
 * A webhook endpoint inside the sandbox, for users without a receiver. The endpoint verifies events and
 * responds. No request leaves the process, and `.test` is a reserved domain.
 */
import { Webhook } from "standardwebhooks";
import type {
  Dependencies,
  Transport,
  WebhookRequest,
  WebhookResponse,
} from "../../reference-server/dependencies.ts";
import { attemptRecords } from "../records/attempts.ts";

export const inboxOrigin = "https://inbox.sandbox.test";

/** The tolerance of timestamps in seconds (specification, Request headers). */
const toleranceS = 300;

/** An endpoint of the inbox. `answer` is its response status, or `silence` for no response. */
export function inboxUrl(name: string, answer?: string): string {
  const url = new URL(`/${encodeURIComponent(name)}`, inboxOrigin);
  if (answer !== undefined) url.searchParams.set("answer", answer);
  return url.href;
}

/** Delivers events for the inbox within the process, and all other events by `transport`. */
export function withInbox(transport: Transport): Transport {
  return {
    ...transport,
    post: (deps, outgoing, signal) =>
      URL.parse(outgoing.url)?.origin === inboxOrigin
        ? receive(deps, outgoing, signal)
        : transport.post(deps, outgoing, signal),
  };
}

async function receive(
  deps: Dependencies,
  outgoing: WebhookRequest,
  signal: AbortSignal,
): Promise<WebhookResponse> {
  const answer = new URL(outgoing.url).searchParams.get("answer");
  if (answer === "silence") await ended(signal);
  const { status, finding } = await examine(deps, outgoing);
  const asked = Number(answer);
  const isAsked = answer !== null && Number.isInteger(asked) && asked >= 200 && asked <= 599;
  return {
    status: isAsked ? asked : status,
    location: undefined,
    headers: { "content-type": "application/json" },
    body: Buffer.from(JSON.stringify({ inbox: finding })),
  };
}

/**
 * Verifies an event (specification, Signature): 401 for a bad signature, 400 for missing or stale headers.
 */
async function examine(
  deps: Dependencies,
  { headers, body }: WebhookRequest,
): Promise<{ status: number; finding: string }> {
  const id = headers["webhook-id"];
  const timestamp = headers["webhook-timestamp"];
  const signature = headers["webhook-signature"];
  if (id === undefined || timestamp === undefined || signature === undefined) {
    return { status: 400, finding: "a webhook header is missing" };
  }
  const sending = await attemptRecords.sendersAt(deps.database, id, inboxOrigin);
  if (sending.length === 0)
    return { status: 400, finding: "this event has no subscription to this endpoint" };
  const sentAt = new Date(Number(timestamp) * 1000);
  const isSigned = sending.some(({ id: webhookId, secret }) =>
    signature
      .split(" ")
      .includes(new Webhook(deps.secretEncryption.decrypt(secret, webhookId)).sign(id, sentAt, body)),
  );
  if (!isSigned) return { status: 401, finding: "the signature is wrong" };
  const [first] = sending;
  const now = first === undefined ? deps.clock.now() : deps.clock.timeOf(first, deps.clock.now());
  const age = Math.round((now - sentAt.getTime()) / 1000);
  if (Math.abs(age) > toleranceS) return { status: 400, finding: `the timestamp is ${age} s old` };
  return { status: 200, finding: `signature verified, ${age} s old` };
}

/** Rejects when the attempt is aborted. */
function ended(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}
