import { randomBytes } from "node:crypto";
import type { Json } from "./formats.ts";

export type Point = { lat: number; lng: number };
export type Price = { base: number; per_km: number; currency: string; vat_included: boolean };
export type Company = { id: string; name: string };

export type Store = {
  id: string;
  externalId: string;
  company: Company;
  restaurant: string;
  name: string;
  phone: string | undefined;
  address: string;
  point: Point | undefined;
  state: "active" | "suspended" | "closed";
  radius: number;
  longestRoad: number;
  couriers: number;
  price: Price | undefined;
  createdAt: number;
  updatedAt: number;
};

type Fee = { amount: string; currency: string; vat_included: boolean };
export type Measure = { distance: number; road: number; fee: Fee | undefined };

export type Delivery = {
  id: string;
  owner: Integrator;
  store: Store;
  externalRef: string;
  status: "RECEIVED" | "QUEUED" | "IPTAL";
  version: number;
  createdAt: number;
  updatedAt: number;
  dropoff: Dropoff;
  payment: {
    type: string;
    due: number;
    prepaid: boolean;
    subtotal: number | undefined;
    discount: number | undefined;
  };
  customer: {
    name: string | undefined;
    phone: string | undefined;
    extension: string | undefined;
    note: string | undefined;
  };
  items: Json[];
  packages: number;
  readyAt: number;
  scheduledFor: number | undefined;
  notes: string | undefined;
  channel: string;
  test: boolean;
  pin: string | undefined;
  measure: Measure | undefined;
  eta: { pickup: number; dropoff: number } | undefined;
  trackingKey: string;
  alertAt: number | undefined;
  searching: boolean;
  /** Incremented to cancel the planned search. */
  plan: number;
  cancelled: { at: number; reason: string | undefined } | undefined;
};

export type Dropoff = {
  text: string;
  directions: string | undefined;
  neighborhood: string | undefined;
  district: string | undefined;
  city: string | undefined;
  /** As sent, without validation. */
  sentCoordinates: { lat: number | undefined; lng: number | undefined };
  point: Point | undefined;
};

export type Webhook = {
  id: string;
  url: string;
  description: string | undefined;
  kinds: string[];
  secret: string;
  status: "ACTIVE" | "KAPANDI" | "SILINDI";
  failingSince: number | undefined;
  createdAt: number;
};

export type Integrator = {
  clientId: string;
  secret: string;
  kind: "integrator" | "other";
  closed: boolean;
  token: { value: string; until: number } | undefined;
  stores: Map<string, Store>;
  deliveries: Map<string, Delivery>;
  hooks: Map<string, Webhook>;
  quoted: { store: Store; point: Point; at: number }[];
  /** First responses by store and idempotency key. */
  answered: Map<string, { digest: string; status: number; text: string }>;
};

export type PairingCode = {
  company: Company;
  restaurant: string;
  until: number;
  usedBy: Integrator | undefined;
};

/** The state of a running server. */
export class ServerState {
  readonly integrators = new Map<string, Integrator>();
  readonly tokens = new Map<string, { owner: Integrator; until: number }>();
  readonly companies = new Map<string, Company>();
  readonly codes = new Map<string, PairingCode>();
  readonly boundTo = new Map<string, Integrator>();
  readonly tracked = new Map<string, Delivery>();
  readonly trusted = new Map<string, string | undefined>();
  readonly cursorKey = randomBytes(32);
  readonly #timers = new Set<NodeJS.Timeout>();
  base = "";

  /** Schedules an action, unless the server closes first. Doesn't keep the process alive. */
  later(milliseconds: number, act: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      act();
    }, milliseconds);
    timer.unref();
    this.#timers.add(timer);
  }

  stop(): void {
    for (const timer of this.#timers) clearTimeout(timer);
  }
}

export type Call = {
  state: ServerState;
  caller: Integrator;
  raw: Buffer;
  query: URLSearchParams;
  header: (name: string) => string | undefined;
  params: string[];
};
