/**
 * Sends the first integrator's events to the addresses that --forward-to names: on this machine, without https, as no
 * integrator may ask for. For everything else they are subscriptions like any other: signed, retried and
 * closed as the specification says.
 */
import type { Tx } from "../../reference-server/database/schema.ts";
import type { Parts } from "../../reference-server/parts.ts";
import type { Webhook } from "../../reference-server/records/webhooks.ts";
import { forwardedDescription } from "../console/addresses.ts";

export interface ForwardingOptions {
  readonly urls: readonly string[];
  /** `whsec_` and base64; undefined for the one that it had, or a new one. */
  readonly secret: string | undefined;
  /** The kinds of events that go there. */
  readonly kinds: readonly string[];
  /** Sent along with each event; never logged. */
  readonly headers: Readonly<Record<string, string>>;
}

/** From parts to parts: lets requests to these addresses through. */
export function withForwarding({ urls, headers }: ForwardingOptions): (parts: Parts) => Parts {
  return (parts) => ({
    ...parts,
    transport: {
      ...parts.transport,
      post(all, outgoing, signal) {
        const forwarded = {
          ...outgoing,
          headers: { ...headers, ...outgoing.headers },
          trust: outgoing.trust ?? { ca_pem: null },
        };
        return parts.transport.post(all, urls.includes(outgoing.url) ? forwarded : outgoing, signal);
      },
    },
  });
}

/**
 * Makes the subscriptions, or takes up those of an earlier start, and ends those to other addresses; without options it
 * ends them all. Gives the secret that they are signed with.
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
    const kept = known.filter(({ url }) => options?.urls.includes(url));
    for (const webhook of known) if (!kept.includes(webhook)) await end(parts, tx, webhook);
    if (options === undefined) return undefined;
    const secret = options.secret ?? secretOf(parts, kept[0]) ?? parts.ids.webhookSecret();
    for (const url of options.urls) {
      const same = kept.find((webhook) => webhook.url === url);
      const id = same?.id ?? parts.ids.uuid();
      await parts.records.webhooks.put(tx, {
        id,
        integrator_id: integrator.id,
        url,
        origin: new URL(url).origin,
        event_types: [...options.kinds],
        description: forwardedDescription,
        status: "ACTIVE",
        secret: parts.secretEncryption.encrypt(secret, id),
        failing_since: null,
        created_at: same?.created_at ?? now,
      });
    }
    return secret;
  });
}

const secretOf = (parts: Parts, webhook: Webhook | undefined): string | undefined =>
  webhook && parts.secretEncryption.decrypt(webhook.secret, webhook.id);

async function end(parts: Parts, tx: Tx, { id }: Webhook): Promise<void> {
  await parts.records.webhooks.setStatus(tx, id, "DELETED");
  await parts.records.outbox.cancel(tx, id);
}
