import { poll } from "../../core/clock.ts";
import { NotTestable } from "../../core/grading/failures/failure.ts";
import { openConnections, sendRequest } from "../../core/http/connections.ts";
import { pathSegment } from "../../core/http/path-segment.ts";
import { isObject, jsonExcess, numberOf, textOf } from "../../core/json.ts";
import { MachineError } from "../../core/machine-error.ts";
import type { ReceiverTarget } from "./settings.ts";

/** The processing of an event. */
interface EventStatus {
  /** Number of times that it took effect. */
  readonly processed: number;
  /** Number of failures to process it, if the receiver reports them. */
  readonly failed: number | undefined;
}

/** A delivery as the receiver stores it. */
export interface HeldDelivery {
  readonly version: number | null;
  /** The status in the receiver's own words. */
  readonly status: string | null;
}

/** Maximum wait for an event's effect once a later event took effect, milliseconds. */
const MAX_BEHIND_MS = 5_000;

/**
 * The time to wait for an effect: "whole" is its own limit, "behind" the time that it may come after a later event's
 * effect.
 */
type EffectTimeout = "whole" | "behind";

/** The effects interface gave no answer: it may be down together with its receiver. */
export class EffectsUnreachable extends NotTestable {}

/**
 * Waits for a receiver that is down.
 * @returns true if it was down and is back
 */
type Recover = () => Promise<boolean>;

/** Reads the effects of events from the receiver's effects interface. */
export class EffectsClient {
  readonly #url: string;
  readonly #target: Pick<ReceiverTarget, "answerMs" | "effectMs">;
  readonly #recover: Recover;
  readonly #connections = openConnections({});
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

  /** True if any event of this run was seen to take effect. */
  get sawAny(): boolean {
    return this.#sawAny;
  }

  /** Milliseconds that an effect may come after its answer. */
  get timeoutMs(): number {
    return this.#target.effectMs;
  }

  async eventStatus(webhookId: string): Promise<EventStatus> {
    const path = `/events/${pathSegment(webhookId)}`;
    const body = await this.#json(path);
    if (isObject(body) && Number.isInteger(body.processed)) {
      const processed = numberOf(body.processed);
      this.#sawAny ||= processed > 0;
      return { processed, failed: Number.isInteger(body.failed) ? numberOf(body.failed) : undefined };
    }
    throw this.#unusable(`GET ${path}`, `answered without a whole number "processed"`);
  }

  /** Number of times that the event took effect. */
  async processedCount(webhookId: string): Promise<number> {
    return (await this.eventStatus(webhookId)).processed;
  }

  /** Waits until the event took effect, or until its time is over. Returns the number of its effects. */
  async waitUntilProcessed(webhookId: string, patience: EffectTimeout): Promise<number> {
    const seen = async () => (await this.processedCount(webhookId)) || undefined;
    return (await poll(seen, { within: this.#within(patience) })) ?? 0;
  }

  /** The stored delivery. `null` for the whole means the same as null for each part. */
  async heldDelivery(deliveryId: string): Promise<HeldDelivery> {
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

  /** Waits until the receiver stores this version of the delivery. A later event has taken effect by then. */
  async waitForVersion(deliveryId: string, version: number): Promise<HeldDelivery> {
    const there = async () => {
      const held = await this.heldDelivery(deliveryId);
      return held.version === version ? held : undefined;
    };
    return (await poll(there, { within: this.#within("behind") })) ?? this.heldDelivery(deliveryId);
  }

  /** Lets processing of the next genuine event fail once. */
  async failNext(): Promise<void> {
    await this.#request("/fail-next", "POST");
  }

  #within(patience: EffectTimeout): number {
    const { effectMs } = this.#target;
    return patience === "whole" ? effectMs : Math.min(effectMs, MAX_BEHIND_MS);
  }

  async #json(path: string): Promise<unknown> {
    const text = await this.#request(path, "GET");
    const excess = jsonExcess(text);
    if (excess !== undefined) throw this.#unusable(`GET ${path}`, `answered badly: ${excess}`);
    try {
      return JSON.parse(text);
    } catch {
      throw this.#unusable(`GET ${path}`, "answered with something that isn't JSON");
    }
  }

  /** A request without an answer is repeated once the receiver is back. */
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

  #unusable(what: string, how: string): NotTestable {
    return new NotTestable(`the effects interface can't be used: ${what} ${how}`);
  }
}
