import type { Claim } from "./claims.ts";
import type { Api, Schemas } from "./target/api.ts";

/** A store that is linked to an integrator, as a check needs it. */
export type LinkedStore = Schemas["Store"];

/** What an integrator's check can do at the API, on its own behalf. */
export interface Party {
  /** The API with this integrator's token. */
  readonly api: Api;
  /** An active store of this integrator's at the country point; shared with other checks. */
  store(): Promise<LinkedStore>;
  /** The integrator's present time at the target, milliseconds since 1970. */
  now(): number;
}

export interface PairingCode {
  readonly pairing_code: string;
  /** Known only where the control interface issued the code. */
  readonly courier_company: { readonly id: string; readonly name: string } | undefined;
}

export interface StoreSettings {
  readonly status?: "active" | "suspended" | "closed";
  readonly radius_m?: number;
  readonly max_road_km?: number;
  readonly couriers_on_shift?: number;
  readonly price?: { base: number; per_km: number; currency: string; vat_included: boolean } | null;
}

/**
 * What each capability adds to a check's context. The level is the lowest claim at which a check that needs the
 * capability can run: `api` needs no more than credentials and pairing codes.
 */
export interface Capabilities {
  /** A pairing code that nothing has used: scarce where codes come from the configuration. */
  pairing: {
    code(): Promise<PairingCode>;
    /** Registers a store of this check's own. */
    linkStore(overrides?: Partial<Schemas["StoreRegistration"]>): Promise<LinkedStore>;
  };
  /** A second integrator whose records are not the first one's. */
  "second-integrator": { readonly other: Party };
  /** Codes with what only the courier company can ask for: a company, a restaurant, a lifetime. */
  "company-codes": {
    companyCode(wanted: { company?: string; restaurant?: string; expires_in?: number }): Promise<PairingCode>;
  };
  /** A credential of the same service that the /v1 endpoints are not meant for. */
  "other-credential": { otherToken(): Promise<string> };
  "store-settings": { configureStore(storeId: string, settings: StoreSettings): Promise<void> };
  credit: { creditConsumed(): Promise<number> };
  /** Closes this check's integrator, which is then of no use to others. */
  close: { closeIntegrator(): Promise<void> };
  /** Moves this check's integrator, and nobody else, forward in time. */
  clock: { advance(seconds: number): Promise<void> };
}

export type Capability = keyof Capabilities;

export const CAPABILITY_CLAIM: Readonly<Record<Capability, Claim>> = {
  pairing: "api",
  "second-integrator": "api",
  "company-codes": "courier",
  "other-credential": "courier",
  "store-settings": "courier",
  credit: "courier",
  close: "courier",
  clock: "time",
};

/** Capabilities that change what all of an integrator's records live by: such a check has the integrator alone. */
export const NEEDS_OWN_LANE: readonly Capability[] = ["credit", "close", "clock"];
