import { createHmac, timingSafeEqual } from "node:crypto";
import { wallClock } from "../../core/clock.ts";

/** The members of an event that the receiver reads. */
export interface ParsedEvent {
  readonly id: string;
  readonly type: string;
  readonly timestamp: string;
  readonly data: ParsedDelivery | null;
}

export interface ParsedDelivery {
  readonly [field: string]: unknown;
  readonly id: string;
  readonly status: string;
  readonly version: number;
  readonly updated_at: string;
  readonly store_id: string;
}

/** A received request. */
export interface IncomingRequest {
  /** Header names are in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Header names and values in turn, as received. */
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
}

/** The values of an event's headers for id, timestamp and signature. */
export interface SignedRequest {
  readonly id: string;
  readonly timestamp: string;
  readonly signature: string;
  readonly body: Buffer;
}

export interface StoredDelivery {
  readonly version: number;
  readonly status: string;
  /** The timestamp of the event that wrote this delivery, for receivers that order events by timestamp. */
  readonly timestamp: string;
  readonly updated_at: string;
  readonly sentAt: number;
}

/** The receiver's state, which the effects interface reports. */
export interface ReceiverState {
  readonly deliveries: Map<string, StoredDelivery>;
  /** The number of times that each event took effect, by webhook-id. */
  readonly processed: Map<string, number>;
  /**
   * The number of failed attempts to process each event, by webhook-id. Some receivers don't report this
   * number.
   */
  readonly failed: Map<string, number>;
  failNext: boolean;
}

/** A status, or another end: no data at all, a closed connection, or a stopped receiver. */
export type Answer = number | "silence" | "close" | "die";

/** The dependencies of a correct receiver. Mutants and variants replace some of them. */
export interface ReceiverDependencies {
  readonly secret: string;
  /** Returns the Unix time in seconds. */
  now(): number;
  readonly statuses: {
    readonly accepted: number;
    readonly missing: number;
    readonly stale: number;
    readonly forged: number;
    readonly tooLarge: number;
    readonly failed: number;
  };
  /** The maximum size of a body in bytes. */
  readonly maxBodyBytes: number;
  /** Joins the received chunks of a body. */
  joined(pieces: readonly Buffer[]): Buffer;
  header(request: IncomingRequest, name: string): string | undefined;
  /** Returns the values of the signature headers; undefined if a header is missing. */
  signed(deps: ReceiverDependencies, request: IncomingRequest): SignedRequest | undefined;
  /** Converts the timestamp header to Unix seconds; NaN if the header is invalid. */
  seconds(timestamp: string): number;
  isStale(sentAt: number, now: number): boolean;
  /** Returns the keys to try. */
  keys(secret: string): readonly (string | Buffer)[];
  /** Returns the texts that may be signed. A correct receiver has one. */
  texts(signed: SignedRequest): readonly Buffer[];
  /** Returns the accepted digests of a text in base64. */
  macs(key: string | Buffer, text: Buffer): readonly string[];
  /** Returns the base64 of each entry in the signature header that counts. */
  entries(header: string): readonly string[];
  same(given: string, expected: string): boolean;
  isGenuine(deps: ReceiverDependencies, signed: SignedRequest): boolean;
  /** Returns the response to a request that the receiver must refuse; undefined for a genuine event. */
  refusal(deps: ReceiverDependencies, request: IncomingRequest): Answer | undefined;
  read(body: Buffer): ParsedEvent;
  /**
   * Returns the response to a genuine event whose content the receiver refuses; undefined to accept the event.
   */
  objection(event: ParsedEvent): Answer | undefined;
  memory: SeenEvents;
  /** Returns the stored delivery after the event; the same object if nothing changes. */
  next(
    kept: StoredDelivery | undefined,
    event: ParsedDelivery,
    offered: StoredDelivery,
  ): StoredDelivery | undefined;
  process(
    deps: ReceiverDependencies,
    state: ReceiverState,
    signed: SignedRequest,
    event: ParsedEvent,
  ): Promise<Answer>;
  receive(deps: ReceiverDependencies, state: ReceiverState, request: IncomingRequest): Promise<Answer>;
}

/** The events that a receiver has seen, so that it recognises repeated events. */
export interface SeenEvents {
  /** The key of an event. */
  key(signed: SignedRequest, event: ParsedEvent): string;
  has(key: string): boolean;
  add(key: string, sentAt: number): void;
}

export function inMemorySeenEvents(): SeenEvents {
  const known = new Set<string>();
  return { key: ({ id }) => id, has: (key) => known.has(key), add: (key) => void known.add(key) };
}

export const TOLERANCE_S = 300;
const NAMES = { id: "webhook-id", timestamp: "webhook-timestamp", signature: "webhook-signature" } as const;

/** Stores an event's delivery, and counts the event if it had an effect. */
export function applyEvent(
  deps: ReceiverDependencies,
  state: ReceiverState,
  { id, timestamp }: SignedRequest,
  event: ParsedEvent,
): void {
  if (!event.data) return;
  const { version, status, updated_at } = event.data;
  const offered = {
    version,
    status,
    updated_at,
    timestamp: event.timestamp,
    sentAt: deps.seconds(timestamp),
  };
  const kept = state.deliveries.get(event.data.id);
  const next = deps.next(kept, event.data, offered);
  if (next === kept || next === undefined) return;
  state.deliveries.set(event.data.id, next);
  state.processed.set(id, (state.processed.get(id) ?? 0) + 1);
}

/** The dependencies of a correct receiver, with its own memory. */
export function correctDependencies(secret: string): ReceiverDependencies {
  return {
    secret,
    now: () => Math.floor(wallClock() / 1000),
    statuses: { accepted: 204, missing: 400, stale: 400, forged: 401, tooLarge: 413, failed: 500 },
    maxBodyBytes: 1_000_000,
    joined: (pieces) => Buffer.concat(pieces),
    header: ({ headers }, name) => headers[name],
    signed(deps, request) {
      const [id, timestamp, signature] = Object.values(NAMES).map((name) => deps.header(request, name));
      return id && timestamp && signature ? { id, timestamp, signature, body: request.body } : undefined;
    },
    seconds: (timestamp) => (/^\d{1,12}$/.test(timestamp) ? Number(timestamp) : Number.NaN),
    isStale: (sentAt, now) => !(Math.abs(now - sentAt) <= TOLERANCE_S),
    keys: (text) => [Buffer.from(text.replace("whsec_", ""), "base64")],
    texts: ({ id, timestamp, body }) => [Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body])],
    macs: (key, text) => [createHmac("sha256", key).update(text).digest("base64")],
    entries: (header) =>
      header
        .split(" ")
        .filter((entry) => entry.startsWith("v1,"))
        .map((entry) => entry.slice("v1,".length)),
    same(given, expected) {
      const [one, other] = [Buffer.from(given), Buffer.from(expected)];
      return one.length === other.length && timingSafeEqual(one, other);
    },
    isGenuine(deps, signed) {
      const expected = deps
        .texts(signed)
        .flatMap((text) => deps.keys(deps.secret).flatMap((key) => deps.macs(key, text)));
      return deps.entries(signed.signature).some((given) => expected.some((one) => deps.same(given, one)));
    },
    refusal(deps, request) {
      const signed = deps.signed(deps, request);
      if (!signed) return deps.statuses.missing;
      if (deps.isStale(deps.seconds(signed.timestamp), deps.now())) return deps.statuses.stale;
      return deps.isGenuine(deps, signed) ? undefined : deps.statuses.forged;
    },
    read: (body) => JSON.parse(body.toString()),
    objection: () => undefined,
    memory: inMemorySeenEvents(),
    next: (kept, _, offered) => (kept && kept.version > offered.version ? kept : offered),
    async process(deps, state, signed, event) {
      const { memory, statuses } = deps;
      const key = memory.key(signed, event);
      if (memory.has(key)) return statuses.accepted;
      if (state.failNext) {
        state.failNext = false;
        return statuses.failed;
      }
      applyEvent(deps, state, signed, event);
      memory.add(key, deps.seconds(signed.timestamp));
      return statuses.accepted;
    },
    async receive(deps, state, request) {
      if (request.body.length > deps.maxBodyBytes) return deps.statuses.tooLarge;
      const refusal = deps.refusal(deps, request);
      if (refusal !== undefined) return refusal;
      const signed = deps.signed(deps, request);
      if (!signed) return deps.statuses.missing;
      const event = deps.read(signed.body);
      return deps.objection(event) ?? deps.process(deps, state, signed, event);
    },
  };
}
