import { randomBytes } from "node:crypto";
import type { Dependencies } from "../../../reference-server/dependencies.ts";
import { startReferenceServer } from "../../../reference-server/embedded.ts";
import type { checks } from "../checks/index.ts";
import type { Mutate } from "../mutants/mutant.ts";
import { traffic } from "../mutants/traffic.ts";
import { runOnTarget } from "../run-target.ts";
import { DEFAULT_POINT, LOOPBACK_RECEIVER } from "../session/sample-data/settings.ts";

type Control = Dependencies["controlOperations"];

/** A server with other control operations. */
export const control =
  (change: (right: Control) => Partial<Control>): Mutate =>
  (deps) => ({
    ...deps,
    controlOperations: { ...deps.controlOperations, ...change(deps.controlOperations) },
  });

/** The outcomes of checks on a server with these faults. */
export async function outcomesOn(mutate: Mutate, tried: typeof checks) {
  const controlToken = randomBytes(24).toString("base64url");
  const server = await startReferenceServer({ mutate, controlToken, reportFault: () => {} });
  try {
    return await runOnTarget(
      {
        url: server.url,
        credentials: [],
        pairingCodes: [],
        control: { url: server.controlUrl, token: controlToken },
        point: DEFAULT_POINT,
        answerMs: 30_000,
        maxWaitMs: 0,
        eventualTimeoutMs: 500,
        receiver: { ...LOOPBACK_RECEIVER, speedup: 20 },
      },
      tried,
      { seed: 1, jobs: 16, traffic },
    );
  } finally {
    await server.close();
  }
}
