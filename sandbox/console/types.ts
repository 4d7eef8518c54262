/**
 * Types of the console's API. The browser imports this file, so it must not depend on Node. Times are ISO
 * 8601 on the integrator's clock.
 */
import type { components as ControlComponents } from "../../openapi/generated/control.ts";
import type { components } from "../../openapi/generated/courier-dispatch.ts";

type Schemas = components["schemas"];

/**
 * Filter and page of a list. An empty text doesn't filter. `from` is inclusive, `to` exclusive. `limit` is 1 to 200,
 * 50 by default; `offset` starts at 0.
 */
export type ListFilter = { text?: string; from?: string; to?: string; limit?: string; offset?: string };
/** `from` and `to` apply to the last change. */
export type DeliveryFilter = ListFilter & { client_id?: string; status?: string };
export type SentEventFilter = ListFilter & {
  webhook_id?: string;
  event_id?: string;
  delivery_id?: string;
  type?: string;
  state?: string;
};
/** `status` is a status, or its first digit `2`, `4` or `5`. Times are real time. */
export type RequestFilter = ListFilter & {
  client_id?: string;
  method?: string;
  status?: string;
  delivery_id?: string;
};

export interface Page<Item> {
  items: Item[];
  /** The number of matching items. */
  total: number;
  /** The number of matching items by state, status or first digit, regardless of the selected state. */
  by_state: Record<string, number>;
}

export interface IntegratorChange {
  name?: string;
  simulated?: boolean;
}

/** One event, or all events since a time whose types the endpoint subscribes to. */
export type Redelivery = { webhook_id: string } & ({ event_id: string } | { since: string });

/** Injected delay and errors; `until` is null for the whole run. */
export interface FaultSettings {
  latency_ms: number;
  /** From 0 to 1. */
  error_rate: number;
  until: string | null;
}

/** Injects faults for `for_s` seconds; 0 ends the current faults. */
export type FaultChange = { latency_ms: number; error_rate: number; for_s: number };

export interface Overview {
  version: string;
  simulator: { seed: string; speed: number; scripts: { english: string; turkish: string }[] } | null;
  /** Null for a sandbox without fault injection. */
  faults: FaultSettings | null;
  inbox_origin: string;
  statuses: string[];
  event_kinds: string[];
  /** The default event types of an endpoint. */
  default_kinds: string[];
  integrators: IntegratorSummary[];
  /** The number of all integrators; `integrators` contains only the newest integrators. */
  integrators_total: number;
}

export interface IntegratorSummary {
  client_id: string;
  name: string | null;
  kind: "integrator" | "other";
  closed_at: string | null;
  created_at: string;
  /** The time on the integrator's clock, and the clock's offset in seconds. */
  now: string;
  ahead_s: number;
  /** True if simulated couriers accept the integrator's deliveries. */
  simulated: boolean;
  deliveries: number;
  credit: number;
  /** Requests in the current minute. */
  limit: { limit: number; remaining: number; reset_s: number };
}

export interface IntegratorCreated {
  client_id: string;
  /** Shown once. */
  client_secret: string;
}

export interface PairingCodeSummary {
  company: string;
  restaurant: string | null;
  issued_at: string;
  expires_in_s: number | null;
  used_at: string | null;
}

export interface DeliverySummary {
  id: string;
  client_id: string;
  integrator: string | null;
  external_ref: string;
  store: string;
  status: string;
  version: number;
  customer: string | null;
  courier: string | null;
  notes: string | null;
  test: boolean;
  updated_at: string;
}

export interface DeliveryDetail {
  client_id: string;
  delivery: Schemas["Delivery"];
  store: { name: string; company: string; at: Schemas["Point"] | null };
  /** Courier actions that the current state allows. */
  actions: Exclude<ControlComponents["schemas"]["CourierMove"]["action"], "courier_location">[];
  /** Reported positions, in order. */
  trail: (Schemas["Point"] & { at: string })[];
  history: { event_id: string; type: string; version: number | null; at: string }[];
}

export interface SubscriptionSummary {
  id: string;
  url: string;
  description: string | null;
  event_types: string[];
  /** ACTIVE or CLOSED. */
  status: string;
  failing_since: string | null;
  /** When the endpoint is closed if it keeps failing; null for an endpoint that isn't failing. */
  closes_at: string | null;
  created_at: string;
  is_inbox: boolean;
  /** True for an endpoint of `--forward-to`. */
  is_forwarded: boolean;
  events: { waiting: number; delivered: number; failed: number; cancelled: number };
  /** Time of the next attempt. */
  next_at: string | null;
  /** Outcome of the last failed attempt, while a retry is pending. */
  last_failure: Outcome | null;
}

export interface NewSubscription {
  url: string;
  description?: string;
  event_types?: string[];
}

export interface SubscriptionSecret {
  id: string;
  /** Shown once. */
  secret: string;
}

/** An attempt's outcome: a status or a fault, with an optional description. */
export interface Outcome {
  text: string;
  words: string | null;
}

export interface SentEventSummary {
  event_id: string;
  webhook_id: string;
  type: string;
  version: number | null;
  delivery_id: string | null;
  external_ref: string | null;
  occurred_at: string;
  /** PENDING, DELIVERED, FAILED or CANCELLED. */
  state: string;
  failures: number;
  /** Outcome of the last attempt. */
  outcome: Outcome | null;
  /** Time of the next attempt; null if no attempt follows. */
  next_at: string | null;
}

export interface SentEventDetail extends SentEventSummary {
  /** The request body, the same for each attempt. */
  body: string;
  /** The delivery attempts, latest first. */
  attempts: {
    ordinal: number;
    started_at: string;
    took_ms: number;
    url: string;
    request_headers: Record<string, string>;
    status: number | null;
    fault: Outcome | null;
    response_headers: Record<string, string> | null;
    response_body: string | null;
  }[];
}

/** A request with a response. Times are real time. */
export interface RequestSummary {
  id: number;
  at: string;
  /** Null for an unknown integrator. */
  client_id: string | null;
  integrator: string | null;
  method: string;
  path: string;
  status: number;
  code: string | null;
  took_ms: number;
  delivery_id: string | null;
}

/** Texts are redacted. */
export interface RequestDetail extends RequestSummary {
  request_headers: Record<string, string>;
  request_body: RequestBody | null;
  response_headers: Record<string, string>;
  response_body: RequestBody | null;
}

export interface RequestBody {
  text: string;
  bytes: number;
  /** True if `text` is the whole body. */
  is_whole: boolean;
}

/** Of the `seen` requests since the start, the log keeps `kept`, and never more than `most`. */
export interface RequestPage extends Page<RequestSummary> {
  seen: number;
  kept: number;
  most: number;
}
