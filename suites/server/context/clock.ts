import { monotonicNow, pause } from "../../core/clock.ts";
import { pathSegment } from "../../core/http/path-segment.ts";
import type { Capabilities } from "../capabilities.ts";
import { type ContextParts, controlFor, noteControl } from "./parts.ts";

/** Moves the integrator's clock. Waits if the target's can't be moved. */
export function clockContext(parts: ContextParts): Capabilities["clock"] {
  const { session, identity, recorder, isConfirmation } = parts;
  return {
    advanceClock: async (seconds, { isSilent = false } = {}) => {
      if (!session.movesClock) return pause(seconds * 1000);
      await session.clockMoves();
      const { client_id } = identity.credentials;
      const path = `/integrators/${pathSegment(client_id)}/clock/advance`;
      const control = controlFor(parts, "clock");
      const advance = control.advanceOf(seconds, { isSilent, isPatient: isConfirmation });
      if (isSilent && !isConfirmation) recorder.hurried(advance.attempt_wait_ms);
      noteControl(parts, { method: "POST", path, body: advance });
      const before = monotonicNow();
      try {
        const shows = await control.advanceClock(client_id, advance, identity.now());
        identity.clock.wasMoved({ byMs: seconds * 1000, tookMs: monotonicNow() - before, shows });
      } catch (error) {
        // The move may have happened, and ended the token: a second try needs another integrator's clock.
        identity.discardToken();
        identity.isRetired = true;
        throw error;
      }
    },
  };
}
