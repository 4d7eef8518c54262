/**
 * Sends the first integrator's events to an address that whoever started the sandbox has named: on this machine, without
 * https, as no integrator may ask for. For everything else it is a subscription like any other: signed, retried and
 * closed as the specification says.
 */
import type { Tx } from "../../reference-server/database/schema.ts";
import type { AttemptOutcome, LoggedAttempt, Parts } from "../../reference-server/parts.ts";
import type { Webhook } from "../../reference-server/records/webhooks.ts";
import { forwardedDescription } from "../console/addresses.ts";

export interface ForwardingOptions {
  readonly url: string;
  /** `whsec_` and base64; undefined for the one that it had, or a new one. */
  readonly secret: string | undefined;
  /** The kinds of events that go there. */
  readonly kinds: readonly string[];
  /** Told of every attempt when it is over. */
  tell(attempt: ForwardedAttempt): void;
}

/** What became of an attempt. */
export interface ForwardedAttempt {
  readonly eventId: string;
  readonly type: string;
  readonly version: number | null;
  /** The integrator's own name for the delivery; null where the event is about none. */
  readonly externalRef: string | null;
  readonly outcome: AttemptOutcome;
  /** Milliseconds from the request to the end of the answer. */
  readonly took: number;
  /** 1 for the first. */
  readonly attempt: number;
  /** Milliseconds until the next; undefined where none follows. */
  readonly nextIn: number | undefined;
  readonly isDelivered: boolean;
  /** Whether the answer closes the address. */
  readonly closes: boolean;
  /** Whether it went out beside the outbox, so that nothing follows from how it ended. */
  readonly isCopy: boolean;
}

/** From parts to parts: lets requests to this one address through, and tells of them. */
export function withForwarding({ url, tell }: ForwardingOptions): (parts: Parts) => Parts {
  return (parts) => ({
    ...parts,
    transport: {
      ...parts.transport,
      post: (all, outgoing, signal) =>
        parts.transport.post(
          all,
          outgoing.url === url ? { ...outgoing, trust: outgoing.trust ?? { ca_pem: null } } : outgoing,
          signal,
        ),
    },
    attemptLog: {
      async keep(all, logged) {
        if (logged.request.url === url) tell(attemptOf(all, logged));
        await parts.attemptLog.keep(all, logged);
      },
    },
  });
}

function attemptOf(parts: Parts, { dispatch, startedAt, outcome }: LoggedAttempt): ForwardedAttempt {
  const now = parts.clock.of(dispatch, parts.clock.now());
  const isDelivered = "status" in outcome && parts.retryPolicy.isSuccess(outcome.status);
  const closes = "status" in outcome && parts.retryPolicy.closesEndpoint(outcome.status);
  const retryAt = parts.retryPolicy.retryAt(parts, dispatch.failures + 1, now);
  return {
    eventId: dispatch.event_id,
    type: dispatch.type,
    version: dispatch.version,
    externalRef: externalRefIn(dispatch.body),
    outcome,
    took: now - startedAt,
    attempt: dispatch.failures + 1,
    nextIn: isDelivered || closes || retryAt === undefined ? undefined : retryAt - now,
    isDelivered,
    closes,
    isCopy: dispatch.leased_by === null,
  };
}

/** Of an event as the server itself wrote it. */
function externalRefIn(body: string): string | null {
  const { data }: { data: { external_ref: string } | null } = JSON.parse(body);
  return data?.external_ref ?? null;
}

/**
 * Makes the subscription, or takes up the one of an earlier start, and ends those to other addresses; without options it
 * ends them all. Gives the secret that it is signed with.
 */
export async function prepareForwarding(
  parts: Parts,
  clientId: string,
  options: ForwardingOptions | undefined,
): Promise<string | undefined> {
  const integrator = await parts.records.integrators.findByClientId(parts.database, clientId);
  if (integrator === undefined) throw new Error("forwarded events belong to nobody");
  const now = parts.clock.of(integrator, parts.clock.now());
  return parts.transaction(parts, async (tx) => {
    await parts.records.changeSequence.takeNext(tx, integrator.id, now);
    const known = (await parts.records.webhooks.list(tx, integrator.id)).filter(
      (webhook) => webhook.description === forwardedDescription,
    );
    const same = known.find(({ url }) => url === options?.url);
    for (const webhook of known) if (webhook !== same) await end(parts, tx, webhook);
    if (options === undefined) return undefined;
    const secret = options.secret ?? secretOf(parts, same) ?? parts.ids.webhookSecret();
    const id = same?.id ?? parts.ids.uuid();
    await parts.records.webhooks.put(tx, {
      id,
      integrator_id: integrator.id,
      url: options.url,
      origin: new URL(options.url).origin,
      event_types: [...options.kinds],
      description: forwardedDescription,
      status: "ACTIVE",
      secret: parts.secretEncryption.encrypt(secret, id),
      failing_since: null,
      created_at: same?.created_at ?? now,
    });
    return secret;
  });
}

const secretOf = (parts: Parts, webhook: Webhook | undefined): string | undefined =>
  webhook && parts.secretEncryption.decrypt(webhook.secret, webhook.id);

async function end(parts: Parts, tx: Tx, { id }: Webhook): Promise<void> {
  await parts.records.webhooks.setStatus(tx, id, "DELETED");
  await parts.records.outbox.cancel(tx, id);
}
