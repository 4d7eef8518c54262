import { isObject, parseJson, textOf } from "../../core/json.ts";
import { isSuccess } from "../../core/responses.ts";
import type { DeliveryRecord } from "./delivery-record.ts";

/** A genuine event about a delivery that the receiver accepted. */
export interface SentEvent {
  readonly id: string;
  readonly version: number;
  readonly timestamp: string;
}

/** The genuine events about deliveries that a check has sent, in the order of their first acceptance. */
export class SentEvents {
  readonly #byDelivery = new Map<string, SentEvent[]>();

  observe({ attempt, violates, reply }: DeliveryRecord): void {
    if (violates !== undefined || attempt.id === undefined || !reply || !isSuccess(reply)) return;
    const event = parseJson(attempt.body.toString());
    const data = isObject(event) && isObject(event.data) ? event.data : {};
    const { id: delivery, version } = data;
    if (typeof delivery !== "string" || typeof version !== "number") return;
    const sent = this.#byDelivery.get(delivery) ?? [];
    const timestamp = isObject(event) ? textOf(event.timestamp) : "";
    if (!sent.some(({ id }) => id === attempt.id)) sent.push({ id: attempt.id, version, timestamp });
    this.#byDelivery.set(delivery, sent);
  }

  about(delivery: string): readonly SentEvent[] {
    return this.#byDelivery.get(delivery) ?? [];
  }
}
