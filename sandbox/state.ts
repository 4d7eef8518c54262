import type { FaultSwitch } from "./faults/fault-switch.ts";
import type { RequestLog } from "./records/request-log.ts";
import type { Simulator } from "./simulator/simulator.ts";

/** The state that the sandbox's interfaces share. */
export interface Sandbox {
  /** Null without simulated couriers. */
  readonly simulator: Simulator | null;
  readonly requests: RequestLog;
  /** The control token for the key of a sign-in link; undefined for an unknown or used key. */
  signIn(key: string): string | undefined;
  /** The integrator that the sandbox starts with. */
  readonly firstClientId: string | undefined;
  /** Undefined without fault injection. */
  readonly faults: FaultSwitch | undefined;
}
