import type { ControlClient } from "../../core/control.ts";
import type { SkipReason } from "../../core/grading/skip-reasons.ts";
import type { Capability } from "../capabilities.ts";
import type { Session } from "../session/session.ts";
import { NO_CODE_LEFT } from "../session/stores/stores.ts";

/**
 * Why a run lacks a capability. Undefined if the run has it.
 * @param waits the seconds that have to pass for a check, if the clock can't be advanced
 */
export function missingPrerequisite(
  session: Session,
  capability: Capability,
  waits = 0,
): string | SkipReason | undefined {
  const { control } = session;
  const byControl = (operation: Parameters<ControlClient["offers"]>[0], what: string) =>
    control?.offers(operation) ? undefined : `${what} needs the control interface's ${operation}`;
  switch (capability) {
    case "pairing":
      return session.codes.isAvailable ? undefined : NO_CODE_LEFT;
    case "second-integrator":
      return session.identities.count >= 2 ? undefined : "a second pair of credentials is needed";
    case "company-codes":
      return byControl("issuePairingCode", "a pairing code of a chosen kind");
    case "other-credential":
      return byControl("createIntegrator", "a credential of another kind");
    case "store-settings":
      return byControl("configureStore", "changing a store's settings");
    case "credit":
      return byControl("readCredit", "reading the credit");
    case "close":
      return (
        byControl("closeIntegrator", "closing a credential") ??
        byControl("createIntegrator", "closing a credential")
      );
    case "receiver":
      return session.reachability
        ? session.reachability.problem
        : "the webhook receiver was not started for this run";
    case "courier":
      return byControl("actAsCourier", "moving a courier");
    case "proofs":
      return byControl("addProof", "adding a photo");
    case "clock":
      if (session.canAdvanceClock || waits * 1000 <= session.settings.maxWaitMs) return undefined;
      return { kind: "wait needed", seconds: waits };
  }
}
