/** Values that only a running server can provide: ids, references, cursors, and times close to now. */
import { isObject } from "../../../suites/core/json.ts";

export type ValuePool =
  | "deliveries"
  | "stores"
  | "storeIds"
  | "webhooks"
  | "proofs"
  | "cursors"
  | "codes"
  | "references"
  | "keys"
  | "trackingKeys"
  | "clients"
  | "secrets";

/** A placeholder for the index-th value of a pool, modulo its size, resolved when the request is sent. */
export class KnownValue {
  readonly pool: ValuePool;
  readonly index: number;

  constructor(pool: ValuePool, index: number) {
    this.pool = pool;
    this.index = index;
  }

  toString(): string {
    return `<${this.pool} ${this.index}>`;
  }
}

/** A placeholder for a time, as seconds from now, with a UTC offset in hours. */
export class InstantFromNow {
  readonly ms: number;
  readonly hours: number;

  constructor(ms: number, hours: number) {
    this.ms = ms;
    this.hours = hours;
  }

  toString(): string {
    return `<now + ${this.ms} ms>`;
  }
}

/** Well formed, but unknown to the server. Used while a pool is empty. */
const nobody = "00000000-0000-4000-8000-000000000000";
/** The number of values kept per pool. */
const most = 50;

export class KnownValues {
  readonly #pools = new Map<ValuePool, string[]>();

  learn(pool: ValuePool, value: unknown): void {
    if (typeof value !== "string" || value === "") return;
    const values = this.#pools.get(pool) ?? [];
    this.#pools.set(pool, [value, ...values.filter((other) => other !== value)].slice(0, most));
  }

  pick({ pool, index }: KnownValue): string {
    const values = this.#pools.get(pool) ?? [];
    return values[index % Math.max(1, values.length)] ?? nobody;
  }

  filled(value: unknown, now: number): unknown {
    if (value instanceof KnownValue) return this.pick(value);
    if (value instanceof InstantFromNow) return instant(now + value.ms, value.hours);
    if (Array.isArray(value)) return value.map((member) => this.filled(member, now));
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, this.filled(member, now)]));
  }

  /** Keeps the values of a response that later requests may use. */
  learnFrom(operationId: string, body: unknown): void {
    if (!isObject(body)) return;
    switch (operationId) {
      case "createDelivery":
      case "getDelivery":
        this.learn("deliveries", body.id);
        this.learn("references", body.external_ref);
        this.learn(
          "trackingKeys",
          String(body.tracking_url ?? "")
            .split("/")
            .at(-1),
        );
        break;
      case "registerStore":
        this.learn("stores", body.external_store_id);
        this.learn("storeIds", body.id);
        break;
      case "createWebhook":
        this.learn("webhooks", body.id);
        break;
      case "addProof":
        this.learn("proofs", body.id);
        break;
      case "listDeliveries":
        this.learn("cursors", body.next_cursor);
        break;
      case "issuePairingCode":
        this.learn("codes", body.pairing_code);
        break;
    }
  }
}

function instant(ms: number, hours: number): string {
  const local = new Date(ms + hours * 3_600_000).toISOString().slice(0, -1);
  return hours === 0
    ? `${local}Z`
    : `${local}${hours < 0 ? "-" : "+"}${String(Math.abs(hours)).padStart(2, "0")}:00`;
}
