import type { ServerClaim } from "../core/contract/claims.ts";
import type { Schemas } from "../core/contract/document.ts";
import type { CourierActionBody } from "../core/control.ts";
import type { ApiResponse } from "./session/http/api-response.ts";
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

/** The result of a proof's upload through the control interface. */
interface ProofUpload {
  readonly status: number;
  readonly json: unknown;
}

/** Each capability's addition to a check's context. */
export interface Capabilities {
  /** An unused pairing code. Codes are scarce if they come from the configuration. */
  pairing: {
    pairingCode(): Promise<PairingCode>;
    /** The store of a first registration. Throws CheckSkipped if the target refused a configured code. */
    expectLinkedStore(answer: ApiResponse<"registerStore">, note?: string): LinkedStore;
    /** Registers a store that no other check uses. */
    linkStore(overrides?: Partial<Schemas["StoreRegistration"]>): Promise<LinkedStore>;
    /**
     * A second store at the country point. If codes are scarce, checks share this store. No check requests a quote
     * for the store then, and a check that changes its location restores it.
     */
    anotherStore(): Promise<LinkedStore>;
  };
  /** A second integrator with its own records. */
  "second-integrator": { readonly other: Integrator };
  /** Pairing codes for a given company, restaurant or lifetime. */
  "company-codes": {
    companyPairingCode(options: {
      company?: string;
      restaurant?: string;
      expires_in?: number;
    }): Promise<PairingCode>;
  };
  /** A token of the service that isn't meant for the /v1 endpoints. */
  "other-credential": { otherToken(): Promise<string> };
  "store-settings": { configureStore(storeId: string, settings: StoreSettings): Promise<void> };
  credit: {
    creditConsumed(): Promise<number>;
    /** Delivers an order if the control interface moves couriers. Otherwise does nothing. */
    deliverIfPossible(deliveryId: string): Promise<void>;
  };
  /** The target's webhooks reach the suite. */
  receiver: {
    subscribe(options?: SubscriptionOptions): Promise<Subscription>;
    /** An endpoint of the receiver without a subscription. */
    inbox(): Inbox;
  };
  courier: {
    /**
     * Performs one courier action.
     * @returns false if the delivery's state doesn't allow it (409), or if there is no such action (400)
     */
    performCourierAction(
      deliveryId: string,
      action: CourierActionBody["action"],
      details?: Omit<CourierActionBody, "action">,
    ): Promise<boolean>;
    /**
     * Performs the courier's actions up to this one. A target may require each step.
     * @param details details of the last action
     */
    performCourierActionsUpTo(
      deliveryId: string,
      upTo: CourierActionBody["action"],
      details?: Omit<CourierActionBody, "action">,
    ): Promise<void>;
  };
  /** The courier's photos of a delivery. */
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
  /** Closes this check's integrator. Other checks can't use the integrator afterwards. */
  close: { closeIntegrator(): Promise<void> };
  /**
   * Advances the clock of this check's integrator. `attemptsTimeOut` means that no pending attempt will get a
   * response, so a target needn't wait for one.
   */
  clock: {
    advanceClock(seconds: number, options?: { readonly attemptsTimeOut?: boolean }): Promise<void>;
  };
}

export type Capability = keyof Capabilities;

/** The first level at which a check with the capability can run. */
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

/**
 * Capabilities that affect all of an integrator's records. A check with one of them has exclusive use of the
 * integrator.
 */
export const NEEDS_OWN_INTEGRATOR: readonly Capability[] = ["credit", "close", "clock", "receiver"];
