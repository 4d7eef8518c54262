import type { Credentials } from "../identities/identity.ts";
import type { ReceiverSettings } from "../webhook-receiver/receiver.ts";

/** A point on the map, in degrees. */
export interface Point {
  readonly lat: number;
  readonly lng: number;
}

/** All that a run needs to know of its target. */
export interface TargetSettings {
  /** Base address of the service, without a slash at its end. */
  readonly url: string;
  readonly credentials: readonly Credentials[];
  readonly pairingCodes: readonly string[];
  readonly control: { readonly url: string; readonly token: string } | undefined;
  readonly receiver: ReceiverSettings;
  /** A point that is served. */
  readonly point: Point;
  /** Time limit for one answer, in milliseconds. */
  readonly answerMs: number;
  /**
   * Time limit for eventual effects, in milliseconds: credit that is given back (OPEN-16), a credential that is closed
   * (OPEN-184). {@link EVENTUAL_TIMEOUT_MS} by default.
   */
  readonly eventualTimeoutMs?: number;
  /** Time that a check may wait if nobody can move the target's clock. */
  readonly maxWaitMs: number;
  /** The user agent of requests; that of ordinary clients by default. */
  readonly userAgent?: string;
  /** Other values to redact: tokens that were obtained before the run. */
  readonly secrets?: readonly string[];
}

/** Two minutes. The wait lasts so long only if the expected effect doesn't come. */
export const EVENTUAL_TIMEOUT_MS = 120_000;

/** A receiver that a target on this machine reaches. */
export const LOOPBACK_RECEIVER: ReceiverSettings = {
  bind: "127.0.0.1:0",
  publicUrl: undefined,
  certificate: undefined,
};

/** Istanbul: inside the country that the specification's money and language are of. */
export const DEFAULT_POINT: Point = { lat: 41.0082, lng: 28.9784 };

/** The implementation under test and the suite's access to it, as in conform.yaml. */
export interface TargetDefinition {
  /** Base address of the service. */
  readonly url: string;
  readonly control?: { readonly url: string; readonly token: string } | undefined;
  readonly credentials?: readonly Credentials[];
  readonly pairingCodes?: readonly string[];
  readonly receiver?: ReceiverSettings;
  /** A point that is served, in degrees. */
  readonly point?: { readonly lat: number; readonly lng: number };
  /** Time limit for one answer, in milliseconds (10,000). */
  readonly answerMs?: number;
  /** Time that a check may wait if nobody can move the clock, in milliseconds (0). */
  readonly maxWaitMs?: number;
}

/** The settings of a run on the target, with the defaults filled in. */
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
