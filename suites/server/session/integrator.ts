import type { Api } from "./http/api.ts";
import type { Credentials } from "./identities/identity.ts";
import type { LinkedStore } from "./stores/stores.ts";

/** Operations that a check can call at the API as its integrator. */
export interface Integrator {
  /** The API with this integrator's token. */
  readonly api: Api;
  readonly credentials: Credentials;
  /** An active store of this integrator's at the country point; shared with other checks. */
  store(): Promise<LinkedStore>;
  /** The integrator's present time at the target, milliseconds since 1970. */
  now(): number;
}
