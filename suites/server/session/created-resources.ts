import type { Exchange } from "../../core/exchange.ts";
import { segmentText } from "../../core/http/path-segment.ts";
import { isObject, parseJson, textMember } from "../../core/json.ts";
import { isSuccess } from "../../core/responses.ts";

/** The id in the path of a request for one delivery or webhook. */
const idInPath = (url: string): string | undefined => {
  const segment = /\/v1\/(?:deliveries|webhooks)\/([^/?]+)/.exec(url)?.[1];
  return segment === undefined ? undefined : segmentText(segment);
};

/** Fields that are set once a delivery is over, independent of its status's string (OPEN-81). */
const ENDINGS = ["cancelled_at", "delivered_at", "returned_at"];
const isOver = (delivery: Record<string, unknown>) => ENDINGS.some((key) => (delivery[key] ?? null) !== null);

/** A linked store's data, as sent or as shown. */
export interface StoreLinked {
  readonly name?: unknown;
  readonly phone?: unknown;
  readonly address_text?: unknown;
}

/**
 * Counts of an integrator's endpoints: those that this run registered and that still exist, and those that it deleted.
 */
export interface WebhookPlaces {
  readonly there: number;
  readonly deleted: number;
  /** True if an earlier registration or deletion got no answer, or was sent twice: there may be more. */
  readonly isUncertain: boolean;
}

/** Resources that one integrator has created on the target and not removed, as far as its exchanges show. */
export class CreatedResources {
  /** Ids of deliveries that aren't over. */
  readonly deliveries = new Set<string>();
  /** Ids of all deliveries that it has opened, over or not. */
  readonly opened = new Set<string>();
  readonly webhooks = new Set<string>();
  /** Ids of all webhooks that it has registered, deleted or not. */
  readonly registered = new Set<string>();
  /** The integrator's own ids of stores. */
  readonly stores = new Set<string>();
  /** Linked stores by the integrator's own ids as sent, with the data of their last linking. */
  readonly linked = new Map<string, StoreLinked>();
  /**
   * Ids and URLs of webhooks that may exist though no check has them: their deletion or creation got no answer or was
   * sent twice, or the target wrongly accepted an invalid creation. The check that sent the request reports the
   * finding, rather than the next one that needs all five slots.
   */
  readonly uncertainWebhooks = new Set<string>();
  #deletedWebhooks = 0;
  #hasLostWebhook = false;
  readonly #placesAtRefusal = new WeakMap<Exchange, WebhookPlaces>();

  observe(exchange: Exchange): void {
    const { operation, url, response } = exchange;
    if (!response || exchange.isRetried) this.#noteUncertain(exchange);
    if (operation === "createWebhook" && response?.status === 409 && exchange.violates === undefined) {
      const there = this.webhooks.size + this.uncertainWebhooks.size;
      this.#placesAtRefusal.set(exchange, {
        there,
        deleted: this.#deletedWebhooks,
        isUncertain: this.#hasLostWebhook,
      });
    }
    if (!response || !isSuccess(response)) return;
    const body = isObject(response.json) ? response.json : {};
    const id = typeof body.id === "string" ? body.id : undefined;
    const named = idInPath(url);
    switch (operation) {
      case "createDelivery":
        if (id !== undefined && !isOver(body)) this.deliveries.add(id);
        if (id !== undefined) this.opened.add(id);
        break;
      case "getDelivery":
        if (id !== undefined && isOver(body)) this.deliveries.delete(id);
        break;
      case "cancelDelivery":
        if (named !== undefined) this.deliveries.delete(named);
        break;
      case "createWebhook":
        if (id !== undefined) this.webhooks.add(id);
        if (id !== undefined) this.registered.add(id);
        if (id !== undefined && exchange.violates !== undefined) this.uncertainWebhooks.add(id);
        break;
      case "deleteWebhook":
        if (named !== undefined && this.webhooks.delete(named)) this.#deletedWebhooks += 1;
        break;
      case "registerStore":
        if (typeof body.external_store_id === "string") this.stores.add(body.external_store_id);
        this.#noteLinked(exchange);
        break;
    }
  }

  /** Counts at the moment when this registration was answered 409. Undefined for any other exchange. */
  placesAtRefusal(exchange: Exchange): WebhookPlaces | undefined {
    return this.#placesAtRefusal.get(exchange);
  }

  /** A store that may be linked since an earlier run. */
  knows({ external_store_id, ...shown }: StoreLinked & { readonly external_store_id: string }): void {
    if (!this.linked.has(external_store_id)) this.linked.set(external_store_id, shown);
  }

  /** Ignores the answer's content: an accepted request has linked the store. */
  #noteLinked({ requestBody }: Exchange): void {
    const sent = parseJson(requestBody ?? "");
    const id = textMember(sent, "external_store_id");
    if (id === undefined || !isObject(sent)) return;
    const { name, phone, address } = sent;
    this.linked.set(id, { name, phone, address_text: isObject(address) ? address.text : undefined });
  }

  #noteUncertain({ operation, url, requestBody }: Exchange): void {
    const name =
      operation === "createWebhook"
        ? textMember(parseJson(requestBody ?? ""), "url")
        : operation === "deleteWebhook"
          ? idInPath(url)
          : undefined;
    if (name === undefined) return;
    this.uncertainWebhooks.add(name);
    this.#hasLostWebhook = true;
  }
}
