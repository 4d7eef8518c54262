/**
 * What the console's interface takes and answers, as the browser has it, which imports this: nothing here may need Node.
 * Times are ISO 8601 on the integrator's clock.
 */
import type { components as ControlComponents } from "../../../openapi/generated/control.ts";
import type { components } from "../../../openapi/generated/courier-dispatch.ts";

type Schemas = components["schemas"];

/** What lists are narrowed by; an empty text narrows nothing. */
export type DeliveryFilter = { client_id?: string; status?: string; text?: string };
export type SentEventFilter = { webhook_id?: string; event_id?: string };

export interface IntegratorChange {
  name?: string;
  simulated?: boolean;
}

/** Either one event, or all since an instant that the address wants. */
export type Redelivery = { webhook_id: string } & ({ event_id: string } | { since: string });

export interface Overview {
  version: string;
  simulator: { seed: string; speed: number; scripts: { english: string; turkish: string }[] } | null;
  inbox_origin: string;
  statuses: string[];
  integrators: IntegratorSummary[];
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
  status: string;
  failing_since: string | null;
  created_at: string;
  is_inbox: boolean;
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
  /** How the last attempt ended: a status, or what went wrong. */
  outcome: string | null;
  /** When the next attempt is due; null where there is none. */
  next_at: string | null;
}

export interface SentEventDetail {
  event_id: string;
  /** What is sent, the same each time. */
  body: string;
  attempts: {
    ordinal: number;
    started_at: string;
    took_ms: number;
    url: string;
    request_headers: Record<string, string>;
    status: number | null;
    fault: string | null;
    response_headers: Record<string, string> | null;
    response_body: string | null;
  }[];
}
