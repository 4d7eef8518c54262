/** A server in a process of its own, which starts what it is told to and says what it has used. */
import type { RunningServer } from "../../reference-server/embedded.ts";
import type { Parts } from "../../reference-server/parts.ts";

/** What to start: this project's server, or bare routes that do the same writes and reads. */
export interface StartMessage {
  kind: "reference" | "bare-sqlite" | "bare-postgres";
  /** As `StartOptions.database`. */
  database: string;
  controlToken: string;
}

/** Nobody is to wait for a limit. */
const unlimited = { requests: 1_000_000_000, windowMs: 60_000 };

const start: Record<StartMessage["kind"], (message: StartMessage) => Promise<Pick<RunningServer, "url">>> = {
  async reference({ database, controlToken }) {
    const { startReferenceServer } = await import("../../reference-server/embedded.ts");
    const rate = { integrator: unlimited, anonymous: unlimited, token: unlimited, tracking: unlimited };
    const mutate = (parts: Parts): Parts => ({ ...parts, limits: { ...parts.limits, rate } });
    return startReferenceServer({ database, controlToken, mutate, sealingKey: Buffer.alloc(32, 7) });
  },
  "bare-sqlite": async ({ database }) => (await import("./bare-sqlite.ts")).startBareSqlite(database),
  "bare-postgres": async ({ database }) => (await import("./bare-postgres.ts")).startBarePostgres(database),
};

process.on("message", async (message: StartMessage | "usage") => {
  if (message === "usage") {
    const { user, system } = process.cpuUsage();
    process.send?.({ cpuMs: (user + system) / 1000, rssBytes: process.memoryUsage.rss() });
    return;
  }
  const { url } = await start[message.kind](message);
  process.send?.({ url });
});
// Whoever started it is gone.
process.on("disconnect", () => process.exit());
process.send?.("ready");
