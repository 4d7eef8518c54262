/**
 * Sends the first integrator's events to the endpoints of --forward-to, which may be on this machine and
 * without https. Otherwise they are normal subscriptions: signed, retried and closed as the specification
 * says.
 */
import type { Tx } from "../../reference-server/database/schema.ts";
import type { Parts } from "../../reference-server/parts.ts";
import type { Webhook } from "../../reference-server/records/webhooks.ts";
import { forwardedDescription } from "../console/endpoints.ts";

export interface ForwardingOptions {
  readonly urls: readonly string[];
  /** `whsec_` and base64. Undefined to keep the existing one, or to generate one. */
  readonly secret: string | undefined;
  readonly kinds: readonly string[];
  /** Headers to add to each event; never logged. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The forwarding of one sandbox. Without options, nothing is forwarded. */
export class Forwarding {
  readonly #options: ForwardingOptions | undefined;
  /** Known after `prepare`. Events of an earlier start wait for it. */
  readonly #subscriptions = Promise.withResolvers<ReadonlySet<string>>();

  constructor(options: ForwardingOptions | undefined) {
    this.#options = options;
  }

  /**
   * Parts that allow requests of its own subscriptions. Another integrator's subscription to the same URL is
   * still refused, and gets no extra headers.
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
   * Creates the subscriptions or reuses those of an earlier start, and deletes those to other URLs. Returns
   * their signing secret.
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
