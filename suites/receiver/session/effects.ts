import { poll } from "../../core/clock.ts";
import { NotTestable } from "../../core/failure.ts";
import { isObject } from "../../core/json.ts";
import type { ReceiverTarget } from "./settings.ts";

/** What the receiver holds of a delivery. */
export interface Held {
  readonly version: number | null;
  /** In words of its own. */
  readonly status: string | null;
}

/** Asks the receiver's effects interface what became of events. */
export class Effects {
  readonly #url: string;
  readonly #target: Pick<ReceiverTarget, "answerMs" | "effectMs">;

  constructor(url: string, target: Pick<ReceiverTarget, "answerMs" | "effectMs">) {
    this.#url = url;
    this.#target = target;
  }

  /** How often the event took effect. */
  async processed(webhookId: string): Promise<number> {
    const path = `/events/${encodeURIComponent(webhookId)}`;
    const body = await this.#json(path);
    if (isObject(body) && Number.isInteger(body.processed)) return Number(body.processed);
    throw this.#unusable(`GET ${path}`, `answered without a whole number "processed"`);
  }

  /** Waits until the event took effect, or the time for it is over, and tells how often it did. */
  async settled(webhookId: string): Promise<number> {
    const seen = async () => (await this.processed(webhookId)) || undefined;
    return (await poll(seen, { within: this.#target.effectMs })) ?? 0;
  }

  async held(deliveryId: string): Promise<Held> {
    const path = `/deliveries/${encodeURIComponent(deliveryId)}`;
    const body = await this.#json(path);
    if (isObject(body) && "version" in body && "status" in body) {
      const { version, status } = body;
      const fits = typeof version === "number" || version === null;
      if (fits && (typeof status === "string" || status === null)) return { version, status };
    }
    throw this.#unusable(`GET ${path}`, `answered without "version" and "status"`);
  }

  /** Waits until the receiver holds this version of the delivery, or the time for it is over. */
  async holding(deliveryId: string, version: number): Promise<Held> {
    const there = async () => {
      const held = await this.held(deliveryId);
      return held.version === version ? held : undefined;
    };
    return (await poll(there, { within: this.#target.effectMs })) ?? this.held(deliveryId);
  }

  /** Lets processing of the next genuine event fail once. */
  async failNext(): Promise<void> {
    await this.#ask("/fail-next", "POST");
  }

  async #json(path: string): Promise<unknown> {
    const text = await this.#ask(path, "GET");
    try {
      return JSON.parse(text);
    } catch {
      throw this.#unusable(`GET ${path}`, "answered with something that isn't JSON");
    }
  }

  async #ask(path: string, method: string): Promise<string> {
    let status: number;
    let text: string;
    try {
      const signal = AbortSignal.timeout(this.#target.answerMs);
      const answer = await fetch(`${this.#url}${path}`, { method, signal, redirect: "manual" });
      ({ status } = answer);
      text = await answer.text();
    } catch (error) {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
      throw this.#unusable(`${method} ${path}`, `failed (${cause instanceof Error ? cause.message : cause})`);
    }
    if (status >= 200 && status <= 299) return text;
    throw this.#unusable(`${method} ${path}`, `answered ${status}`);
  }

  #unusable(what: string, how: string): NotTestable {
    return new NotTestable(`the effects interface can't be used: ${what} ${how}`);
  }
}
