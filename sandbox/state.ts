import type { FaultSwitch } from "./faults/fault-switch.ts";
import type { RequestLog } from "./records/request-log.ts";
import type { Simulator } from "./simulator/simulator.ts";

/** What the sandbox's interfaces share. */
export interface Sandbox {
  /** Null if couriers move only by hand. */
  readonly simulator: Simulator | null;
  readonly requests: RequestLog;
  /** The control token for the key of a link that was handed out; undefined for any other key, and for a used one. */
  signIn(key: string): string | undefined;
  /** The integrator that the sandbox starts with. */
  readonly firstClientId: string | undefined;
  /** Undefined if the service answers as it is. */
  readonly faults: FaultSwitch | undefined;
}
