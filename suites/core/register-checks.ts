import { describe } from "vitest";
import type { RunSummary } from "./cleanup-report.ts";
import type { Outcome } from "./grading/outcome.ts";
import type { RunOrder } from "./run-checks.ts";

declare module "vitest" {
  interface TaskMeta {
    /** How the check ended; read by the command's reporter. */
    outcome?: Outcome;
    /** Requests of the whole run up to here. */
    requests?: number;
    /** How the whole run ended: on the module. */
    summary?: RunSummary;
  }
}

/** A check may wait for the target's limits several times over; a run that hangs is ended by the person or CI. */
export const CHECK_TIMEOUT_MS = 1_800_000;

/** Registers a group of tests; none where it has no members, since a group without tests would count as a fault. */
export function registerGroup<Check>(
  name: string,
  members: readonly Check[],
  register: (check: Check) => void,
  { concurrent }: { readonly concurrent: boolean } = { concurrent: false },
): void {
  if (members.length === 0) return;
  // Groups that are concurrent themselves would run beside each other.
  describe(name, () => {
    describe("all", { concurrent }, () => {
      for (const member of members) register(member);
    });
  });
}

/** Registers a test for each check of a run, in its order. */
export function registerChecks<Check>(
  { ahead = [], concurrent, serial }: RunOrder<Check>,
  register: (check: Check) => void,
): void {
  for (const step of ahead) registerGroup("what others build on", step, register, { concurrent: true });
  registerGroup("beside each other", concurrent, register, { concurrent: true });
  registerGroup("one at a time", serial, register);
}
