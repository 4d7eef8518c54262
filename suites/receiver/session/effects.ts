import { poll } from "../../core/clock.ts";
import { CheckSkipped } from "../../core/grading/failures/failure.ts";
import { openConnections, sendRequest } from "../../core/http/connections.ts";
import { pathSegment } from "../../core/http/path-segment.ts";
import { isObject, jsonExcess, numberOf, textOf } from "../../core/json.ts";
import { MachineError } from "../../core/machine-error.ts";
import type { ReceiverTarget } from "./settings.ts";

/** How often the processing of an event succeeded and failed. */
interface EventStatus {
  /** How often the event took effect. */
  readonly processed: number;
  /** How often processing failed; undefined if the receiver doesn't report failures. */
  readonly failed: number | undefined;
}

/** A delivery as the receiver stores it. */
export interface StoredDeliveryReport {
  readonly version: number | null;
  /** The delivery's status in the receiver's own words. */
  readonly status: string | null;
}

/** The maximum milliseconds by which an effect may follow the effect of an event sent later. */
const MAX_DELAY_MS = 5_000;

/**
 * The time limit of an effect: the limit of --effect-within, or a shorter limit after the effect of an event sent
 * later.
 */
type EffectTimeout = "configuredLimit" | "shortLimit";

/** The effects interface didn't respond, possibly because the receiver is down. */
export class EffectsUnreachable extends CheckSkipped {}

/**
 * Waits until a stopped receiver is back.
 * @returns true if the receiver was down and is back
 */
type Recover = () => Promise<boolean>;

/** Reads the effects of events from the receiver's effects interface. */
export class EffectsClient {
  readonly #url: string;
  readonly #target: Pick<ReceiverTarget, "answerMs" | "effectMs">;
  readonly #recover: Recover;
  readonly #connections = openConnections({});
  readonly #first = Promise.withResolvers<void>();
  #sawAny = false;

  constructor(
    url: string,
    target: Pick<ReceiverTarget, "answerMs" | "effectMs">,
    recover: Recover = () => Promise.resolve(false),
  ) {
    this.#url = url;
    this.#target = target;
    this.#recover = recover;
  }

  /** True if any event of this run has taken effect. */
  get sawAny(): boolean {
    return this.#sawAny;
  }

  /** Resolves at the first effect of any event. */
  get firstEffect(): Promise<void> {
    return this.#first.promise;
  }

  /** The time limit in milliseconds for an effect after the response. */
  get timeoutMs(): number {
    return this.#target.effectMs;
  }

  async eventStatus(webhookId: string): Promise<EventStatus> {
    const path = `/events/${pathSegment(webhookId)}`;
    const body = await this.#json(path);
    if (isObject(body) && Number.isInteger(body.processed)) {
      const processed = numberOf(body.processed);
      if (processed > 0) {
        this.#sawAny = true;
        this.#first.resolve();
      }
      return { processed, failed: Number.isInteger(body.failed) ? numberOf(body.failed) : undefined };
    }
    throw this.#unusable(`GET ${path}`, `answered without a whole number "processed"`);
  }

  /** Returns how often the event has taken effect. */
  async processedCount(webhookId: string): Promise<number> {
    return (await this.eventStatus(webhookId)).processed;
  }

  /** Waits until the event has taken effect, or until the time limit. Returns the number of effects. */
  async waitUntilProcessed(webhookId: string, timeout: EffectTimeout): Promise<number> {
    const seen = async () => (await this.processedCount(webhookId)) || undefined;
    return (await poll(seen, { within: this.#within(timeout) })) ?? 0;
  }

  /** Returns what the receiver stores of the delivery. A body `null` means null for each part. */
  async storedDelivery(deliveryId: string): Promise<StoredDeliveryReport> {
    const path = `/deliveries/${pathSegment(deliveryId)}`;
    const body = await this.#json(path);
    if (body === null) return { version: null, status: null };
    if (isObject(body) && "version" in body && "status" in body) {
      const { version, status } = body;
      const fits = typeof version === "number" || version === null;
      if (fits && (typeof status === "string" || status === null)) return { version, status };
    }
    throw this.#unusable(`GET ${path}`, `answered without "version" and "status"`);
  }

  /** Waits until the receiver stores this version. An event sent later must have taken effect already. */
  async waitForVersion(deliveryId: string, version: number): Promise<StoredDeliveryReport> {
    const there = async () => {
      const held = await this.storedDelivery(deliveryId);
      return held.version === version ? held : undefined;
    };
    return (await poll(there, { within: this.#within("shortLimit") })) ?? this.storedDelivery(deliveryId);
  }

  /** Makes the processing of the next genuine event fail once. */
  async failNext(): Promise<void> {
    await this.#request("/fail-next", "POST");
  }

  #within(timeout: EffectTimeout): number {
    const { effectMs } = this.#target;
    return timeout === "configuredLimit" ? effectMs : Math.min(effectMs, MAX_DELAY_MS);
  }

  async #json(path: string): Promise<unknown> {
    const text = await this.#request(path, "GET");
    const excess = jsonExcess(text);
    if (excess !== undefined) throw this.#unusable(`GET ${path}`, `sent an invalid response: ${excess}`);
    try {
      return JSON.parse(text);
    } catch {
      throw this.#unusable(`GET ${path}`, "sent a response that isn't JSON");
    }
  }

  /** Sends a request. If there is no response, repeats the request once the receiver is back. */
  async #request(path: string, method: "GET" | "POST"): Promise<string> {
    try {
      return await this.#requestOnce(path, method);
    } catch (error) {
      if (error instanceof EffectsUnreachable && (await this.#recover())) {
        return this.#requestOnce(path, method);
      }
      throw error;
    }
  }

  async #requestOnce(path: string, method: "GET" | "POST"): Promise<string> {
    let status: number;
    let text: string;
    try {
      const timeoutMs = this.#target.answerMs;
      const answer = await sendRequest(this.#connections, `${this.#url}${path}`, { method }, { timeoutMs });
      ({ status } = answer);
      text = new TextDecoder().decode(answer.bytes);
    } catch (error) {
      if (error instanceof MachineError) throw error;
      const { message } = this.#unusable(
        `${method} ${path}`,
        `failed (${textOf(error instanceof Error ? error.message : error)})`,
      );
      throw new EffectsUnreachable(message);
    }
    if (status >= 200 && status <= 299) return text;
    throw this.#unusable(`${method} ${path}`, `answered ${status}`);
  }

  #unusable(what: string, how: string): CheckSkipped {
    return new CheckSkipped(`the effects interface is unusable: ${what} ${how}`);
  }
}
