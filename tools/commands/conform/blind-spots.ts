import type { Claim } from "../../../suites/core/contract/claims.ts";
import type { TargetSettings } from "../../../suites/server/session/sample-data/settings.ts";
import { ENOUGH_PAIRING_CODES } from "../../../suites/server/session/stores/stores.ts";

/**
 * A line about the clauses that can't be verified with the given credentials, and what would verify these clauses.
 * Undefined with a control interface, or if every clause can be verified.
 */
export function blindSpots(
  { control, credentials, pairingCodes }: Pick<TargetSettings, "control" | "credentials" | "pairingCodes">,
  claims: readonly Claim[],
): string | undefined {
  if (control !== undefined) return undefined;
  const needsControl = claims.some((claim) => claim === "courier" || claim === "time");
  const unverified = [
    ...(needsControl
      ? ["couriers, store settings, credit, closed credentials and the passing of time (--control-url)"]
      : []),
    ...(credentials.length < 2 ? ["the isolation of integrators (a second integrator's credentials)"] : []),
    ...(pairingCodes.length === 0
      ? [`the linking of stores (--pairing-code; ${ENOUGH_PAIRING_CODES} are enough)`]
      : []),
  ];
  if (unverified.length === 0) return undefined;
  const advice = needsControl ? "; --claims api limits the run to the API" : "";
  return `Not verified without a control interface (in brackets: what would verify it): ${unverified.join("; ")}${advice}.`;
}
