import { startReferenceServer, withTokensForEachStart } from "../../../reference-server/embedded.ts";
import type { Service } from "../session/session.ts";

/** Starts a reference server with this base URL. */
export async function startReferenceService(publicUrl: string): Promise<Service> {
  const server = await startReferenceServer({ publicUrl, mutate: withTokensForEachStart });
  const { url, controlUrl, controlToken, close } = server;
  if (controlToken === null) throw new Error("the reference server has no control interface");
  return { url, control: { url: controlUrl, token: controlToken }, close };
}
