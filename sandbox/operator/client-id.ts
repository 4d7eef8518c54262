import { rejected } from "../../reference-server/errors.ts";
import type { Sandbox } from "../state.ts";

/** The requested integrator's client id. Defaults to the first integrator's. Throws DOGRULAMA in a sandbox without integrators. */
export function clientIdOf({ firstClientId }: Sandbox, named: string | undefined): string {
  const clientId = named ?? firstClientId;
  if (clientId === undefined) throw rejected("client_id", "zorunlu: bu sunucunun ilk entegratörü yok");
  return clientId;
}
