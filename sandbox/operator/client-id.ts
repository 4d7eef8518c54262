import { rejected } from "../../reference-server/errors.ts";
import type { Sandbox } from "../state.ts";

/** The requested integrator. Defaults to the first one. Throws DOGRULAMA if the sandbox has none. */
export function clientIdOf({ firstClientId }: Sandbox, named: string | undefined): string {
  const clientId = named ?? firstClientId;
  if (clientId === undefined) throw rejected("client_id", "zorunlu: bu sunucunun ilk entegratörü yok");
  return clientId;
}
