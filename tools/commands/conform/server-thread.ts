/** A thread of its own for the embedded reference server, so that the server and the checks each use a core. */
import { once } from "node:events";
import { parentPort, workerData } from "node:worker_threads";
import { startReferenceServer } from "../../../reference-server/embedded.ts";
import type { ServerAddresses, ServerThreadData } from "./embedded-server.ts";

if (parentPort === null) throw new Error("runs only as a worker thread");
const { controlToken }: ServerThreadData = workerData;
const server = await startReferenceServer({ controlToken });
parentPort.postMessage({ url: server.url, controlUrl: server.controlUrl } satisfies ServerAddresses);
await once(parentPort, "message");
await server.close();
