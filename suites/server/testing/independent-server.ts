import type { Certification } from "../../core/grading/certification.ts";
import { certify } from "../certify.ts";
import { checks } from "../checks/index.ts";
import { startIndependentServer } from "../independent-server/server.ts";
import { target } from "../variants/legal-servers.ts";

/** Certifies the independent server. Its control interface can't control couriers or the clock. */
export async function certifyIndependentServer(): Promise<Certification> {
  const server = await startIndependentServer();
  try {
    return await certify(target(server.url, server.controlToken), checks, {
      jobs: 16,
      claims: ["api", "events"],
    });
  } finally {
    await server.close();
  }
}
