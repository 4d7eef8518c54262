import { monotonicNow, pause } from "../../core/clock.ts";
import { pathSegment } from "../../core/http/path-segment.ts";
import type { Capabilities } from "../capabilities.ts";
import { type ContextDependencies, controlFor, noteControl } from "./dependencies.ts";

/** Advances the integrator's clock, or waits if it can't be advanced. */
export function clockContext(deps: ContextDependencies): Capabilities["clock"] {
  const { session, identity, recorder, isConfirmation } = deps;
  return {
    advanceClock: async (seconds, { attemptsTimeOut = false } = {}) => {
      if (!session.canAdvanceClock) return pause(seconds * 1000);
      await session.expectClockAdvances();
      const { client_id } = identity.credentials;
      const path = `/integrators/${pathSegment(client_id)}/clock/advance`;
      const control = controlFor(deps, "clock");
      const advance = control.clockAdvanceBody(seconds, { attemptsTimeOut, isPatient: isConfirmation });
      const { attempt_wait_ms: waitMs } = advance;
      // A slow webhook may arrive only after the clock's wait.
      if (attemptsTimeOut && !isConfirmation && waitMs !== undefined)
        recorder.disturbed(
          "attempt-lost",
          `delivery attempts that stay unanswered on purpose had ${waitMs / 1000} s to arrive`,
        );
      noteControl(deps, { method: "POST", path, body: advance });
      const before = monotonicNow();
      identity.clock.isMoving = true;
      try {
        const shows = await control.advanceClock(client_id, advance, identity.now());
        identity.clock.wasMoved({ byMs: seconds * 1000, tookMs: monotonicNow() - before, shows });
      } catch (error) {
        // The advance may have happened, and the token may be expired. A second try needs another integrator.
        identity.discardToken();
        identity.isRetired = true;
        throw error;
      } finally {
        identity.clock.isMoving = false;
      }
    },
  };
}
