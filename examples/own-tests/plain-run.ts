/** Plain Node: reports each check as it ends. Ctrl-C ends the run, which cleans up. */
import { run } from "../../index.ts";
import { chosen, service } from "./target.ts";

const leaving = new AbortController();
process.once("SIGINT", () => leaving.abort());

for await (const event of run(chosen, service, { cleanUp: true, signal: leaving.signal })) {
  if (event.type === "result") console.log(event.outcome.status, event.check.id, event.outcome.message ?? "");
  if (event.type === "end") console.log(`${event.summary.requests} requests`);
}
