import type { Credentials } from "../identities/identity.ts";
import type { ReceiverSettings } from "../webhook-receiver/receiver.ts";

/** A location in degrees. */
export interface Point {
  readonly lat: number;
  readonly lng: number;
}

/** The settings of a run's target. */
export interface TargetSettings {
  readonly url: string;
  readonly credentials: readonly Credentials[];
  readonly pairingCodes: readonly string[];
  readonly control: { readonly url: string; readonly token: string } | undefined;
  readonly receiver: ReceiverSettings;
  /** A point in the service's country. */
  readonly point: Point;
  /** The time limit in milliseconds for one response. */
  readonly answerMs: number;
  /**
   * The time limit in milliseconds for effects that may come after the response: a refund of credit (OPEN-16),
   * a closed credential (OPEN-184). Defaults to {@link EVENTUAL_TIMEOUT_MS}.
   */
  readonly eventualTimeoutMs?: number;
  /** The maximum milliseconds that a check waits if the target's clock can't be advanced. */
  readonly maxWaitMs: number;
  /** The user agent of requests. Defaults to the user agents of ordinary clients. */
  readonly userAgent?: string;
  /** Further secrets to redact, such as tokens from before the run. */
  readonly secrets?: readonly string[];
}

/** The settings of a receiver for a target on this machine. */
export const LOOPBACK_RECEIVER: ReceiverSettings = {
  bind: "127.0.0.1:0",
  publicUrl: undefined,
  certificate: undefined,
};

/** Istanbul, because the specification's currency and language are Turkish. */
export const DEFAULT_POINT: Point = { lat: 41.0082, lng: 28.9784 };

/** The implementation under test, with access data as in conform.yaml. */
export interface TargetDefinition {
  readonly url: string;
  readonly control?: { readonly url: string; readonly token: string } | undefined;
  readonly credentials?: readonly Credentials[];
  readonly pairingCodes?: readonly string[];
  readonly receiver?: ReceiverSettings;
  /** A point in the service's country, in degrees. */
  readonly point?: { readonly lat: number; readonly lng: number };
  /** The time limit for one response in milliseconds. Defaults to 10,000. */
  readonly answerMs?: number;
  /** The maximum wait of a check if the clock can't be advanced, in milliseconds. Defaults to 0. */
  readonly maxWaitMs?: number;
}

/** The settings of a run on the target, with defaults. */
export const settingsOf = (definition: TargetDefinition): TargetSettings => ({
  credentials: [],
  pairingCodes: [],
  receiver: LOOPBACK_RECEIVER,
  point: DEFAULT_POINT,
  answerMs: 10_000,
  maxWaitMs: 0,
  control: undefined,
  ...definition,
  url: definition.url.replace(/\/+$/, ""),
});
