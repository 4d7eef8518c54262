import type { Exchange } from "../../core/exchange.ts";
import { segmentText } from "../../core/http/path-segment.ts";
import { isObject, parseJson, textMember } from "../../core/json.ts";
import { isSuccess } from "../../core/responses.ts";

const idInPath = (url: string): string | undefined => {
  const segment = /\/v1\/(?:deliveries|webhooks)\/([^/?]+)/.exec(url)?.[1];
  return segment === undefined ? undefined : segmentText(segment);
};

/** Fields that are set at the end of a delivery, whatever its status string (OPEN-81). */
const ENDINGS = ["cancelled_at", "delivered_at", "returned_at"];
const isOver = (delivery: Record<string, unknown>) => ENDINGS.some((key) => (delivery[key] ?? null) !== null);

/** A linked store's data, as sent or as shown. */
interface StoreLinked {
  readonly name?: unknown;
  readonly phone?: unknown;
  readonly address_text?: unknown;
}

/** Counts of an integrator's endpoints: registered and still existing, and deleted. */
interface EndpointCounts {
  readonly there: number;
  readonly deleted: number;
  /**
   * True if an earlier registration or deletion got no response or was sent twice, so that more may exist.
   */
  readonly isUncertain: boolean;
}

/** Objects that one integrator has created and not removed, according to its exchanges. */
export class CreatedResources {
  /** Ids of open deliveries. */
  readonly deliveries = new Set<string>();
  /** Ids of all its deliveries. */
  readonly opened = new Set<string>();
  readonly webhooks = new Set<string>();
  /** Ids of all its webhooks, including deleted ones. */
  readonly registered = new Set<string>();
  /** The external ids of its stores. */
  readonly stores = new Set<string>();
  /** Linked stores by external id, with the data of their last registration. */
  readonly linked = new Map<string, StoreLinked>();
  /**
   * Ids and URLs of webhooks that may exist without any check's knowledge: their creation or deletion got no
   * response or was sent twice, or the target accepted an invalid creation. They are removed before a check
   * needs all five slots.
   */
  readonly uncertainWebhooks = new Set<string>();
  #deletedWebhooks = 0;
  #hasLostWebhook = false;
  readonly #countsAtRefusal = new WeakMap<Exchange, EndpointCounts>();

  observe(exchange: Exchange): void {
    const { operation, url, response } = exchange;
    if (!response || exchange.isRetried) this.#noteUncertain(exchange);
    if (operation === "createWebhook" && response?.status === 409 && exchange.violates === undefined) {
      const there = this.webhooks.size + this.uncertainWebhooks.size;
      this.#countsAtRefusal.set(exchange, {
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

  /** The counts when this registration was answered with 409. Undefined for any other exchange. */
  countsAtRefusal(exchange: Exchange): EndpointCounts | undefined {
    return this.#countsAtRefusal.get(exchange);
  }

  /** A store that an earlier run may have linked. */
  noteExistingStore({
    external_store_id,
    ...shown
  }: StoreLinked & { readonly external_store_id: string }): void {
    if (!this.linked.has(external_store_id)) this.linked.set(external_store_id, shown);
  }

  /** Ignores the response's content: any success has linked the store. */
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
