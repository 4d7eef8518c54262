import type { ServerClaim } from "../core/contract/claims.ts";
import type { Schemas } from "../core/contract/document.ts";
import type { CourierMove } from "../core/control.ts";
import type { Answer } from "./session/http/answer.ts";
import type { Integrator } from "./session/integrator.ts";
import type { LinkedStore, PairingCode } from "./session/stores/stores.ts";
import type { Subscription, SubscriptionOptions } from "./session/subscriptions/subscribe.ts";
import type { Inbox } from "./session/webhook-receiver/inbox.ts";

export interface StoreSettings {
  readonly status?: "active" | "suspended" | "closed";
  readonly radius_m?: number;
  readonly max_road_km?: number;
  readonly couriers_on_shift?: number;
  readonly price?: { base: number; per_km: number; currency: string; vat_included: boolean } | null;
}

/** The result of a proof's upload: the control interface's answer. */
interface ProofUpload {
  readonly status: number;
  readonly json: unknown;
}

/**
 * The addition of each capability to a check's context. The level is the lowest claim at which a check with the
 * capability can run: `api` needs only credentials and pairing codes.
 */
export interface Capabilities {
  /** An unused pairing code. Codes are scarce if they come from the configuration. */
  pairing: {
    pairingCode(): Promise<PairingCode>;
    /** The store of a first registration. Not testable if the target refused a configured code. */
    linkedStore(answer: Answer<"registerStore">): LinkedStore;
    /** Registers a store of this check's own. */
    linkStore(overrides?: Partial<Schemas["StoreRegistration"]>): Promise<LinkedStore>;
    /**
     * A second store, other than `store()`, at the country point. If codes are scarce, checks share it: none requests a
     * quote for it, and a check that moves it moves it back.
     */
    anotherStore(): Promise<LinkedStore>;
  };
  /** A second integrator whose records are not the first one's. */
  "second-integrator": { readonly other: Integrator };
  /** Codes with settings that only the courier company can request: a company, a restaurant, a lifetime. */
  "company-codes": {
    companyPairingCode(wanted: {
      company?: string;
      restaurant?: string;
      expires_in?: number;
    }): Promise<PairingCode>;
  };
  /** A credential of the same service that the /v1 endpoints are not meant for. */
  "other-credential": { otherToken(): Promise<string> };
  "store-settings": { configureStore(storeId: string, settings: StoreSettings): Promise<void> };
  credit: { creditConsumed(): Promise<number> };
  /** Webhooks of the target reach the suite. */
  receiver: {
    subscribe(wish?: SubscriptionOptions): Promise<Subscription>;
    /** An endpoint of the receiver without a subscription. */
    inbox(): Inbox;
  };
  /** Moves couriers. */
  courier: {
    /**
     * Makes one move.
     * @returns false if the delivery's state does not allow it (409), or if no such move exists (400)
     */
    moveCourier(
      deliveryId: string,
      action: CourierMove["action"],
      details?: Omit<CourierMove, "action">,
    ): Promise<boolean>;
    /**
     * Makes every move of the courier's way up to and with this one; a target may want each step.
     * @param details of the last one
     */
    moveCourierTo(
      deliveryId: string,
      upTo: CourierMove["action"],
      details?: Omit<CourierMove, "action">,
    ): Promise<void>;
  };
  /** Photos of a delivery by the courier. */
  proofs: {
    addProof(
      deliveryId: string,
      photo: {
        readonly bytes: Uint8Array;
        readonly mime: string;
        readonly lat?: number;
        readonly lng?: number;
      },
    ): Promise<ProofUpload>;
  };
  /** Closes this check's integrator, which is then of no use to others. */
  close: { closeIntegrator(): Promise<void> };
  /**
   * Moves only this check's integrator forward in time. `isSilent` says that none of the attempts under way gets an
   * answer, so that a target needn't wait for one.
   */
  clock: {
    advanceClock(seconds: number, options?: { readonly isSilent?: boolean }): Promise<void>;
  };
}

export type Capability = keyof Capabilities;

export const CAPABILITY_CLAIM: Readonly<Record<Capability, ServerClaim>> = {
  pairing: "api",
  "second-integrator": "api",
  "company-codes": "courier",
  "other-credential": "courier",
  "store-settings": "courier",
  credit: "courier",
  receiver: "events",
  courier: "courier",
  proofs: "courier",
  close: "courier",
  clock: "time",
};

/** Capabilities that change the basis of all of an integrator's records: such a check has the integrator alone. */
export const NEEDS_OWN_IDENTITY: readonly Capability[] = ["credit", "close", "clock", "receiver"];
