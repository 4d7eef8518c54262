import type { Server } from "node:http";
import type { Dependencies } from "./dependencies.ts";

/** After this real time without a request, the client isn't about to send another one. */
const QUIET_MS = 400;

/**
 * Watches a server that a test runs in its own process, so that the test can stop waiting for a webhook that
 * won't come.
 * @returns true if no request was open in the last 400 ms, no attempt is in progress, no clock is being
 * advanced, and no event or timed change becomes due within this real time, in milliseconds
 */
export function watchForIdleness(server: Server, deps: Dependencies): (withinMs: number) => Promise<boolean> {
  let open = 0;
  let quietSince = performance.now();
  server.prependListener("request", (_request, response) => {
    open += 1;
    response.once("close", () => {
      open -= 1;
      quietSince = performance.now();
    });
  });
  return async (withinMs) => {
    const isQuiet = () => open === 0 && performance.now() - quietSince >= QUIET_MS;
    if (!isQuiet()) return false;
    const { records, database, clock } = deps;
    const until = clock.now() + withinMs;
    const [attempts, advances, overdue, change] = await Promise.all([
      records.outbox.leaseholders(database),
      records.clocks.frozen(database),
      records.outbox.overdueEndpoints(database, until),
      records.dueDeliveries.firstOfAll(database),
    ]);
    const isDue = overdue.length > 0 || (change !== undefined && change.real_due_at <= until);
    return attempts.length === 0 && advances.length === 0 && !isDue && isQuiet();
  };
}
