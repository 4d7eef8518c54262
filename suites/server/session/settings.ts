import type { Credentials } from "./identities/identity.ts";
import type { ReceiverSettings } from "./webhook-receiver/receiver.ts";

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
  /** How long one answer may take, in milliseconds. */
  readonly answerMs: number;
  /**
   * How long what takes effect in the end may take, in milliseconds: credit that is given back (OPEN-16), a credential
   * that is closed (OPEN-184). {@link SETTLES_WITHIN_MS} by default.
   */
  readonly settlesWithinMs?: number;
  /** How long a check may wait for time to pass where nobody can move the target's clock. */
  readonly maxWaitMs: number;
  /** What requests say of themselves; what ordinary clients say by default. */
  readonly userAgent?: string;
  /** What else must not be shown: tokens that were obtained before the run. */
  readonly secrets?: readonly string[];
}

/** Two minutes: waited out only where what is due doesn't come. */
export const SETTLES_WITHIN_MS = 120_000;

/** A receiver that a target on this machine reaches. */
export const LOOPBACK_RECEIVER: ReceiverSettings = {
  bind: "127.0.0.1:0",
  publicUrl: undefined,
  certificate: undefined,
};

/** Istanbul: inside the country that the specification's money and language are of. */
export const DEFAULT_POINT: Point = { lat: 41.0082, lng: 28.9784 };

/** What is to be certified, and how the suite gets in: as in conform.yaml. */
export interface TargetDefinition {
  /** Base address of the service. */
  readonly url: string;
  readonly control?: { readonly url: string; readonly token: string } | undefined;
  readonly credentials?: readonly Credentials[];
  readonly pairingCodes?: readonly string[];
  readonly receiver?: ReceiverSettings;
  /** A point that is served, in degrees. */
  readonly point?: { readonly lat: number; readonly lng: number };
  /** How long one answer may take, in milliseconds (10,000). */
  readonly answerMs?: number;
  /** How long a check may wait for time to pass where nobody can move the clock, in milliseconds (0). */
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
