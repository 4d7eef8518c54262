/** A reference server for `crash.test.ts` in a process of its own, which starts when it is told to, to be killed. */
import { flushCompileCache } from "node:module";
import { controlDocument, serviceDocument } from "../contract/documents.ts";
import { startReferenceServer } from "../embedded.ts";

process.once("message", async ({ database, controlToken }: { database: string; controlToken: string }) => {
  const { url } = await startReferenceServer({ database, controlToken });
  process.send?.({ url });
});
// All that can be done before.
serviceDocument();
controlDocument();
// A process that is killed keeps nothing that would make the next one quicker.
flushCompileCache();
process.send?.("ready");
