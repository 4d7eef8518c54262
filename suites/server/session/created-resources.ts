import type { Exchange } from "../../core/exchange.ts";
import { segmentText } from "../../core/http/path-segment.ts";
import { isObject, parseJson, textMember } from "../../core/json.ts";
import { isSuccess } from "../../core/responses.ts";

const idInPath = (url: string): string | undefined => {
  const segment = /\/v1\/(?:deliveries|webhooks)\/([^/?]+)/.exec(url)?.[1];
  return segment === undefined ? undefined : segmentText(segment);
};

/** Fields that a delivery has after its end, whatever the string of its final status is (OPEN-81). */
const ENDINGS = ["cancelled_at", "delivered_at", "returned_at"];
const isOver = (delivery: Record<string, unknown>) => ENDINGS.some((key) => (delivery[key] ?? null) !== null);

/** The data of a linked store, as sent or as returned. */
interface StoreLinked {
  readonly name?: unknown;
  readonly phone?: unknown;
  readonly address_text?: unknown;
}

/** The numbers of an integrator's endpoints: registered endpoints that still exist, and deleted endpoints. */
interface EndpointCounts {
  readonly there: number;
  readonly deleted: number;
  /**
   * True if an earlier registration or deletion got no response or was sent twice: the numbers may be
   * wrong.
   */
  readonly isUncertain: boolean;
}

/** Objects that one integrator has created and not removed, according to its exchanges. */
export class CreatedResources {
  /** Ids of open deliveries. */
  readonly deliveries = new Set<string>();
  /** Ids of all deliveries of the integrator. */
  readonly opened = new Set<string>();
  readonly webhooks = new Set<string>();
  /** Ids of all webhooks of the integrator, including deleted webhooks. */
  readonly registered = new Set<string>();
  /** The external ids of the integrator's stores. */
  readonly stores = new Set<string>();
  /** Linked stores by external id, with the data of their last registration. */
  readonly linked = new Map<string, StoreLinked>();
  /**
   * Ids and URLs of webhooks that may exist without any check's knowledge: the creation or deletion got no
   * response or was sent twice, or the target accepted an invalid creation. Such webhooks are deleted before a
   * check needs all five slots.
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

  /** The numbers of endpoints at the time of a registration that got 409. Undefined for any other exchange. */
  countsAtRefusal(exchange: Exchange): EndpointCounts | undefined {
    return this.#countsAtRefusal.get(exchange);
  }

  /** Records a store that an earlier run may have linked. */
  noteExistingStore({
    external_store_id,
    ...shown
  }: StoreLinked & { readonly external_store_id: string }): void {
    if (!this.linked.has(external_store_id)) this.linked.set(external_store_id, shown);
  }

  /** Uses the request, not the response, because any success has linked the store. */
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
