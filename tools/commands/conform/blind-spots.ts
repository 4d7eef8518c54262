import type { Claim } from "../../../suites/core/contract/claims.ts";
import type { TargetSettings } from "../../../suites/server/session/sample-data/settings.ts";
import { ENOUGH_PAIRING_CODES } from "../../../suites/server/session/stores/stores.ts";

/**
 * One line about the claimed clauses that credentials alone can't verify, and what they need. Undefined if a
 * control interface is given.
 */
export function blindSpots(
  { control, credentials, pairingCodes }: Pick<TargetSettings, "control" | "credentials" | "pairingCodes">,
  claims: readonly Claim[],
): string | undefined {
  if (control !== undefined) return undefined;
  const company = claims.some((claim) => claim === "courier" || claim === "time");
  const unseen = [
    ...(company ? ["couriers, store settings, credit, closing and the passing of time (--control-url)"] : []),
    ...(credentials.length < 2 ? ["the isolation of integrators (a second integrator's credentials)"] : []),
    ...(pairingCodes.length === 0
      ? [`the linking of stores (--pairing-code; ${ENOUGH_PAIRING_CODES} are enough)`]
      : []),
  ];
  if (unseen.length === 0) return undefined;
  const apiAlone = company ? "; --claims api limits the run to the API" : "";
  return `Not verified without a control interface (in brackets: what would verify it): ${unseen.join("; ")}${apiAlone}.`;
}
