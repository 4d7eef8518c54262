/** A reference server process for `crash.test.ts`. It starts the server on a message, and is killed by the test. */
import { flushCompileCache } from "node:module";
import { controlDocument, serviceDocument } from "../contract/documents.ts";
import { startReferenceServer } from "../embedded.ts";

process.once("message", async ({ database, controlToken }: { database: string; controlToken: string }) => {
  const { url } = await startReferenceServer({ database, controlToken });
  process.send?.({ url });
});
// Work that can be done before the start.
serviceDocument();
controlDocument();
// A killed process wouldn't write its compile cache.
flushCompileCache();
process.send?.("ready");
