import type { Claim } from "../../core/contract/claims.ts";
import type { Credentials } from "./identities/identity.ts";
import type { ReceiverSettings } from "./webhook-receiver/receiver.ts";

/** A point on the map, in degrees. */
export interface Point {
  readonly lat: number;
  readonly lng: number;
}

/** All that a run needs to know of its target: plain data, so that it can cross from one thread to another. */
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
   * that is closed (OPEN-184). {@link SETTLES_WITHIN_MS} where nothing is said.
   */
  readonly settlesWithinMs?: number;
  /** How long a check may wait for time to pass where nobody can move the target's clock. */
  readonly patienceMs: number;
  /** What requests say of themselves; what ordinary clients say where nothing is said. */
  readonly userAgent?: string;
  /** What else must not be shown: tokens that were obtained before the run. */
  readonly secrets?: readonly string[];
}

/** What one run is asked to do. */
export interface RunSettings {
  readonly target: TargetSettings;
  readonly claims: readonly Claim[];
  /** Ids of the checks to run. */
  readonly selected: readonly string[];
  readonly seed: number;
  readonly jobs: number;
  /** Run the checks in an order made from the seed. */
  readonly shuffle: boolean;
  /** Keep all that is sent and comes, for the report. */
  readonly wire: boolean;
  /** Cancel and delete at the end what the run has made; false for a target that is thrown away. */
  readonly cleanUp: boolean;
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
