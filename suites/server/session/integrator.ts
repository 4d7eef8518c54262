import type { Api } from "./http/api.ts";
import type { Credentials } from "./identities/identity.ts";
import type { LinkedStore } from "./stores/stores.ts";

/** API operations of a check's integrator. */
export interface Integrator {
  /** The API with this integrator's token. */
  readonly api: Api;
  readonly credentials: Credentials;
  /** A shared active store of this integrator at the country point. */
  store(): Promise<LinkedStore>;
  /** The integrator's time at the target, as Unix time in milliseconds. */
  now(): number;
}
