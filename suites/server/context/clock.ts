import { monotonicNow, pause } from "../../core/clock.ts";
import type { Capabilities } from "../capabilities.ts";
import { type ContextParts, controlFor } from "./parts.ts";

/** Moves the integrator's clock; waits where the target's can't be moved. */
export function clockContext(parts: ContextParts): Capabilities["clock"] {
  const { session, identity } = parts;
  return {
    advanceClock: async (seconds) => {
      if (!session.movesClock) return pause(seconds * 1000);
      const before = monotonicNow();
      try {
        await controlFor(parts, "clock").advanceClock(
          identity.credentials.client_id,
          seconds,
          identity.now(),
        );
      } catch (error) {
        // Nobody knows whether it was moved, and with it the token's end.
        identity.discardToken();
        throw error;
      }
      // While it is moved the clock doesn't run (control interface, "The clock").
      identity.addClockOffset(seconds * 1000 - Math.round(monotonicNow() - before));
    },
  };
}
