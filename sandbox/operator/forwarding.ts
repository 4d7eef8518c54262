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

/** Where one sandbox forwards events to; without options nowhere. */
export class Forwarding {
  readonly #options: ForwardingOptions | undefined;
  /** Known once they are prepared; events of an earlier start may be sent before. */
  readonly #subscriptions = Promise.withResolvers<ReadonlySet<string>>();

  constructor(options: ForwardingOptions | undefined) {
    this.#options = options;
  }

  /**
   * From parts to parts: lets requests of its own subscriptions through. Another integrator that registers the same address
   * reaches nothing by it, and is sent no header.
   */
  readonly mutate = (parts: Parts): Parts => {
    const { urls = [], headers } = this.#options ?? {};
    return {
      ...parts,
      transport: {
        ...parts.transport,
        post: async (all, outgoing, signal) => {
          const isOwn =
            urls.includes(outgoing.url) && (await this.#subscriptions.promise).has(outgoing.webhookId);
          const trust = outgoing.trust ?? { ca_pem: null };
          const forwarded = { ...outgoing, headers: { ...headers, ...outgoing.headers }, trust };
          return parts.transport.post(all, isOwn ? forwarded : outgoing, signal);
        },
      },
    };
  };

  /**
   * Makes the subscriptions, or takes up those of an earlier start, and ends those to other addresses. Gives the secret that
   * they are signed with.
   */
  async prepare(parts: Parts, clientId: string): Promise<string | undefined> {
    const integrator = await parts.records.integrators.findByClientId(parts.database, clientId);
    if (integrator === undefined) throw new Error("forwarded events belong to nobody");
    const now = parts.clock.of(integrator, parts.clock.now());
    const { urls = [], kinds = [], secret: given } = this.#options ?? {};
    return parts.transaction(parts, async (tx) => {
      await parts.records.changeSequence.takeNext(tx, integrator.id, now);
      const known = (await parts.records.webhooks.list(tx, integrator.id)).filter(
        (webhook) => webhook.description === forwardedDescription,
      );
      const kept = known.filter(({ url }) => urls.includes(url));
      for (const webhook of known) if (!kept.includes(webhook)) await end(parts, tx, webhook);
      const secret = given ?? secretOf(parts, kept[0]) ?? parts.ids.webhookSecret();
      const ids = new Set<string>();
      for (const url of urls) {
        const same = kept.find((webhook) => webhook.url === url);
        const id = same?.id ?? parts.ids.uuid();
        await parts.records.webhooks.put(tx, {
          id,
          integrator_id: integrator.id,
          url,
          origin: new URL(url).origin,
          event_types: [...kinds],
          description: forwardedDescription,
          status: "ACTIVE",
          secret: parts.secretEncryption.encrypt(secret, id),
          failing_since: null,
          created_at: same?.created_at ?? now,
        });
        ids.add(id);
      }
      this.#subscriptions.resolve(ids);
      return urls.length === 0 ? undefined : secret;
    });
  }
}

const secretOf = (parts: Parts, webhook: Webhook | undefined): string | undefined =>
  webhook && parts.secretEncryption.decrypt(webhook.secret, webhook.id);

async function end(parts: Parts, tx: Tx, { id }: Webhook): Promise<void> {
  await parts.records.webhooks.setStatus(tx, id, "DELETED");
  await parts.records.outbox.cancel(tx, id);
}
