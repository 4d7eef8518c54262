import type { EventKind } from "../../../core/contract/event-kinds.ts";
import { isObject, textOf } from "../../../core/json.ts";

/** A request to the suite's receiver. */
export interface Attempt {
  /** When the headers arrived, as Unix time in milliseconds on this machine's clock. */
  readonly receivedAt: number;
  readonly method: string;
  /** The path and query below the inbox. */
  readonly url: string;
  /** The headers by name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The exact bytes of the body. */
  readonly bytes: Uint8Array;
  /** The parsed body. Undefined if the body isn't JSON. */
  readonly json: unknown;
}

/** The body as an event envelope. Missing and mistyped members are undefined. */
interface Envelope {
  readonly id: string | undefined;
  readonly type: string | undefined;
  readonly timestamp: string | undefined;
  readonly data: unknown;
}

const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

export function envelopeOf({ json }: Attempt): Envelope {
  const body = isObject(json) ? json : {};
  return { id: text(body.id), type: text(body.type), timestamp: text(body.timestamp), data: body.data };
}

/** The webhook-id, which identifies an event in all its attempts. */
export const webhookId = ({ headers }: Attempt): string => headers["webhook-id"] ?? "";

export const kindOf = (attempt: Attempt): string => envelopeOf(attempt).type ?? "";

export const isOfKind =
  (kind: EventKind) =>
  (attempt: Attempt): boolean =>
    kindOf(attempt) === kind;

/** The delivery of an attempt's event; undefined for `webhook.test`. */
export function deliveryOf(attempt: Attempt): Record<string, unknown> | undefined {
  const { data } = envelopeOf(attempt);
  return isObject(data) ? data : undefined;
}

/**
 * True if an attempt has the webhook-id of an earlier attempt, and names no other event. A retry whose body has lost
 * its data is a retry all the same: its content is another finding than its absence.
 */
export function repeats(attempt: Attempt, earlier: Attempt): boolean {
  const id = webhookId(attempt);
  if (id === "" || id !== webhookId(earlier)) return false;
  const [kind, delivery] = [envelopeOf(attempt).type, deliveryOf(attempt)?.id];
  return (
    (kind === undefined || kind === kindOf(earlier)) &&
    (typeof delivery !== "string" || delivery === deliveryOf(earlier)?.id)
  );
}

/**
 * The first attempt of each event in order of arrival. Repetitions have the same webhook-id, type and delivery.
 * Different events with one webhook-id are a fault that one check reports. To all others they are different
 * events, so that none seems to be missing.
 */
export function firstAttempts(attempts: readonly Attempt[]): readonly Attempt[] {
  const firstOfId = new Map<string, Attempt>();
  const seen = new Set<string>();
  return attempts.filter((attempt) => {
    const id = webhookId(attempt);
    const event = [id, kindOf(attempt), textOf(deliveryOf(attempt)?.id)].join(" ");
    const first = firstOfId.get(id);
    if (seen.has(event) || (first && repeats(attempt, first))) return false;
    if (!first) firstOfId.set(id, attempt);
    seen.add(event);
    return true;
  });
}

/** An attempt in one line, for failures. */
export const describeAttempt = (attempt: Attempt): string => {
  const delivery = deliveryOf(attempt);
  const about = typeof delivery?.id === "string" ? ` of ${delivery.id}` : "";
  return `${kindOf(attempt) || "(no type)"}${about}, webhook-id ${webhookId(attempt) || "(none)"}`;
};
