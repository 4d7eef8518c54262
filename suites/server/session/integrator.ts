import type { Api } from "./http/api.ts";
import type { Credentials } from "./identities/identity.ts";
import type { LinkedStore } from "./stores/stores.ts";

/** What a check can do as an integrator. */
export interface Integrator {
  /** The API with this integrator's token. */
  readonly api: Api;
  readonly credentials: Credentials;
  /** An active store of this integrator, shared by its checks, in the country of the service. */
  store(): Promise<LinkedStore>;
  /** The integrator's time at the target, as Unix time in milliseconds. */
  now(): number;
}
