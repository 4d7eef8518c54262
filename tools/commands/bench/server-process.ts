/** A server in its own process. It starts the requested server and reports its resource usage. */
import type { RunningServer } from "../../../reference-server/embedded.ts";
import type { Parts } from "../../../reference-server/parts.ts";

/** What to start: this project's server, with its limits or without, or bare routes with the same writes and reads. */
export interface StartMessage {
  kind: "reference" | "unlimited" | "bare-sqlite" | "bare-postgres";
  /** As `StartOptions.database`. */
  database: string;
  controlToken: string;
}

/** Nobody is to wait for a limit. */
const unlimited = { requests: 1_000_000_000, windowMs: 60_000 };

const start: Record<StartMessage["kind"], (message: StartMessage) => Promise<Pick<RunningServer, "url">>> = {
  reference: (message) => startReference(message, (parts) => parts),
  async unlimited(message) {
    const rate = { integrator: unlimited, anonymous: unlimited, token: unlimited, tracking: unlimited };
    return startReference(message, (parts) => ({ ...parts, limits: { ...parts.limits, rate } }));
  },
  "bare-sqlite": async ({ database }) => (await import("./bare-sqlite.ts")).startBareSqlite(database),
  "bare-postgres": async ({ database }) => (await import("./bare-postgres.ts")).startBarePostgres(database),
};

async function startReference({ database, controlToken }: StartMessage, mutate: (parts: Parts) => Parts) {
  const { startReferenceServer } = await import("../../../reference-server/embedded.ts");
  return startReferenceServer({ database, controlToken, mutate, webhookKey: Buffer.alloc(32, 7) });
}

process.on("message", async (message: StartMessage | "usage") => {
  if (message === "usage") {
    const { user, system } = process.cpuUsage();
    process.send?.({ cpuMs: (user + system) / 1000, rssBytes: process.memoryUsage.rss() });
    return;
  }
  const { url } = await start[message.kind](message);
  process.send?.({ url });
});
// Only a normal exit saves the compile cache.
process.on("SIGTERM", () => process.exit());
// The parent process is gone.
process.on("disconnect", () => process.exit());
process.send?.("ready");
