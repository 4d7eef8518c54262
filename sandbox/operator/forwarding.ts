/**
 * Sends the first integrator's events to the endpoints of --forward-to, which may be on this machine and
 * without https. In all other respects the endpoints have normal subscriptions: signed, retried and
 * closed as the specification says.
 */
import type { Tx } from "../../reference-server/database/schema.ts";
import type { Dependencies } from "../../reference-server/dependencies.ts";
import type { Webhook } from "../../reference-server/records/webhooks.ts";
import { forwardedDescription } from "../console/endpoints.ts";

interface ForwardingOptions {
  readonly urls: readonly string[];
  /** `whsec_` and base64. Undefined to keep the existing secret, or to generate a secret. */
  readonly secret: string | undefined;
  readonly kinds: readonly string[];
  /** Headers to add to each event; never logged. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The forwarding of one sandbox. Without options, nothing is forwarded. */
export class Forwarding {
  readonly #options: ForwardingOptions | undefined;
  /** The signing secret, known after `prepare`. Pending events of an earlier start wait for it. */
  readonly #subscriptions = Promise.withResolvers<ReadonlySet<string>>();

  constructor(options: ForwardingOptions | undefined) {
    this.#options = options;
  }

  /**
   * Dependencies that allow requests to the endpoints of --forward-to. Another integrator's subscription to the same
   * URL is still refused, and gets no extra headers.
   */
  readonly mutate = (deps: Dependencies): Dependencies => {
    const { urls = [], headers } = this.#options ?? {};
    return {
      ...deps,
      transport: {
        ...deps.transport,
        post: async (all, outgoing, signal) => {
          const isOwn =
            urls.includes(outgoing.url) && (await this.#subscriptions.promise).has(outgoing.webhookId);
          const trust = outgoing.trust ?? { ca_pem: null };
          const forwarded = { ...outgoing, headers: { ...headers, ...outgoing.headers }, trust };
          return deps.transport.post(all, isOwn ? forwarded : outgoing, signal);
        },
      },
    };
  };

  /**
   * Creates the subscriptions or reuses the subscriptions of an earlier start, and deletes subscriptions to other URLs.
   * Returns the subscriptions' signing secret.
   */
  async prepare(deps: Dependencies, clientId: string): Promise<string | undefined> {
    const integrator = await deps.records.integrators.findByClientId(deps.database, clientId);
    if (integrator === undefined) throw new Error("forwarding needs the sandbox's first integrator");
    const now = deps.clock.timeOf(integrator, deps.clock.now());
    const { urls = [], kinds = [], secret: given } = this.#options ?? {};
    return deps.transaction(async (tx) => {
      await deps.records.changeSequence.takeNext(tx, integrator.id, now);
      const known = (await deps.records.webhooks.list(tx, integrator.id)).filter(
        (webhook) => webhook.description === forwardedDescription,
      );
      const kept = known.filter(({ url }) => urls.includes(url));
      for (const webhook of known) if (!kept.includes(webhook)) await end(deps, tx, webhook);
      const secret = given ?? secretOf(deps, kept[0]) ?? deps.ids.webhookSecret();
      const ids = new Set<string>();
      for (const url of urls) {
        const same = kept.find((webhook) => webhook.url === url);
        const id = same?.id ?? deps.ids.uuid();
        await deps.records.webhooks.put(tx, {
          id,
          integrator_id: integrator.id,
          url,
          origin: new URL(url).origin,
          event_types: [...kinds],
          description: forwardedDescription,
          status: "ACTIVE",
          secret: deps.secretEncryption.encrypt(secret, id),
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

const secretOf = (deps: Dependencies, webhook: Webhook | undefined): string | undefined =>
  webhook && deps.secretEncryption.decrypt(webhook.secret, webhook.id);

async function end(deps: Dependencies, tx: Tx, { id }: Webhook): Promise<void> {
  await deps.records.webhooks.setStatus(tx, id, "DELETED");
  await deps.records.outbox.cancel(tx, id);
}
