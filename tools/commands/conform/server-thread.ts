/** The thread of the embedded reference server. With two threads, the server and the checks use a core each. */
import { once } from "node:events";
import { parentPort, workerData } from "node:worker_threads";
import { startReferenceServer } from "../../../reference-server/embedded.ts";
import type { ServerAddresses, ServerThreadData } from "./embedded-server.ts";

if (parentPort === null) throw new Error("server-thread.ts must be started as a worker thread");
const { controlToken }: ServerThreadData = workerData;
const server = await startReferenceServer({ controlToken });
parentPort.postMessage({ url: server.url, controlUrl: server.controlUrl } satisfies ServerAddresses);
await once(parentPort, "message");
await server.close();
