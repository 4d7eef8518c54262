/**
 * What the console's interface takes and answers, as the browser has it, which imports this: nothing here may need Node.
 * Times are ISO 8601 on the integrator's clock.
 */
import type { components as ControlComponents } from "../../openapi/generated/control.ts";
import type { components } from "../../openapi/generated/courier-dispatch.ts";

type Schemas = components["schemas"];

/**
 * What lists are narrowed by, and the part of them that is asked for; an empty text narrows nothing. `from` is part of the
 * time that is looked at, `to` isn't; `limit` is 1 to 200 (50), `offset` from 0.
 */
export type ListFilter = { text?: string; from?: string; to?: string; limit?: string; offset?: string };
/** `from` and `to` are about the last change. */
export type DeliveryFilter = ListFilter & { client_id?: string; status?: string };
export type SentEventFilter = ListFilter & {
  webhook_id?: string;
  event_id?: string;
  delivery_id?: string;
  type?: string;
  state?: string;
};
/** `status` is one, or `2`, `4` or `5` for all that begin so. Times are real ones. */
export type RequestFilter = ListFilter & {
  client_id?: string;
  method?: string;
  status?: string;
  delivery_id?: string;
};

/** A part of a list. */
export interface Page<Item> {
  items: Item[];
  /** How many there are in all that fit. */
  total: number;
  /** The same by state (or status, or the first digit of one), whichever was asked for. */
  by_state: Record<string, number>;
}

export interface IntegratorChange {
  name?: string;
  simulated?: boolean;
}

/** Either one event, or all since an instant that the address wants. */
export type Redelivery = { webhook_id: string } & ({ event_id: string } | { since: string });

/** Delay and errors that the sandbox adds; `until` is null for the whole run. */
export interface FaultSettings {
  latency_ms: number;
  /** From 0 to 1. */
  error_rate: number;
  until: string | null;
}

/** For how long; 0 ends the ones before. */
export type FaultChange = { latency_ms: number; error_rate: number; for_s: number };

export interface Overview {
  version: string;
  simulator: { seed: string; speed: number; scripts: { english: string; turkish: string }[] } | null;
  /** Null if it adds none. */
  faults: FaultSettings | null;
  inbox_origin: string;
  statuses: string[];
  event_kinds: string[];
  /** The kinds that an address gets where nothing else is asked. */
  default_kinds: string[];
  integrators: IntegratorSummary[];
  /** How many there are in all: `integrators` are the newest of them. */
  integrators_total: number;
}

export interface IntegratorSummary {
  client_id: string;
  name: string | null;
  kind: "integrator" | "other";
  closed_at: string | null;
  created_at: string;
  /** The time on its clock, and by how many seconds that is ahead. */
  now: string;
  ahead_s: number;
  /** Whether simulated couriers take its deliveries. */
  simulated: boolean;
  deliveries: number;
  credit: number;
  /** Requests in the present minute. */
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
  /** What a courier can do with it as it stands. */
  actions: Exclude<ControlComponents["schemas"]["CourierMove"]["action"], "courier_location">[];
  /** Where its courier was, in order. */
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
  /** When it is closed if it goes on failing; null where it doesn't fail. */
  closes_at: string | null;
  created_at: string;
  is_inbox: boolean;
  /** Whether the desk sends events there (`--forward-to`). */
  is_forwarded: boolean;
  events: { waiting: number; delivered: number; failed: number; cancelled: number };
  /** When the next attempt is due. */
  next_at: string | null;
  /** How the last one ended that failed, where it is made again. */
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

/** How an attempt ended: a status or the name of what went wrong, and that in words where there are some. */
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
  /** How the last attempt ended. */
  outcome: Outcome | null;
  /** When the next attempt is due; null where there is none. */
  next_at: string | null;
}

export interface SentEventDetail extends SentEventSummary {
  /** What is sent, the same each time. */
  body: string;
  /** The latest first. */
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

/** A request that was answered. Times are real ones. */
export interface RequestSummary {
  id: number;
  at: string;
  /** Null where it can't be told whose it is. */
  client_id: string | null;
  integrator: string | null;
  method: string;
  path: string;
  status: number;
  code: string | null;
  took_ms: number;
  delivery_id: string | null;
}

/** The texts are without secrets. */
export interface RequestDetail extends RequestSummary {
  request_headers: Record<string, string>;
  request_body: RequestBody | null;
  response_headers: Record<string, string>;
  response_body: RequestBody | null;
}

export interface RequestBody {
  text: string;
  bytes: number;
  /** Whether `text` is all of it. */
  is_whole: boolean;
}

/** What the log holds: `kept` of the `seen` requests since the start, `most` at a time. */
export interface RequestPage extends Page<RequestSummary> {
  seen: number;
  kept: number;
  most: number;
}
