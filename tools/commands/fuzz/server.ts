/** A reference server for fuzzing. Its limits are out of reach, and its webhooks aren't delivered. */

import type { Dependencies } from "../../../reference-server/dependencies.ts";
import {
  type RunningServer,
  type StartOptions,
  startReferenceServer,
} from "../../../reference-server/embedded.ts";

const unlimited = { requests: 1_000_000_000, windowMs: 60_000 };
/** The statuses of webhook endpoints, in turn. */
const statuses = [204, 500, 204, 302, 204, 410];

/** Starts the server. `mutate` changes it. */
export function startForFuzzing(options: StartOptions = {}): Promise<RunningServer> {
  const mutate = options.mutate ?? ((deps: Dependencies) => deps);
  return startReferenceServer({ ...options, mutate: (deps) => mutate(unhindered(deps)) });
}

function unhindered(deps: Dependencies): Dependencies {
  let sent = 0;
  return {
    ...deps,
    limits: {
      ...deps.limits,
      rate: { integrator: unlimited, anonymous: unlimited, token: unlimited, tracking: unlimited },
    },
    transport: {
      ...deps.transport,
      post: async () => ({ status: statuses[sent++ % statuses.length] ?? 204, location: undefined }),
    },
  };
}
