import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { getCompileCacheDir } from "node:module";
import { dirname, extname } from "node:path";
import { Worker } from "node:worker_threads";

export interface ServerThreadData {
  readonly controlToken: string;
}

/** The message that the thread posts when its server listens. */
export interface ServerAddresses {
  readonly url: string;
  readonly controlUrl: string;
}

export interface EmbeddedServer {
  readonly url: string;
  readonly control: { readonly url: string; readonly token: string };
  /** Ends the server's thread. Does nothing the second time. */
  readonly close: () => Promise<void>;
}

/** The thread's program: TypeScript in a clone, JavaScript in the package. */
const THREAD = new URL(`./server-thread${extname(import.meta.filename)}`, import.meta.url);

/** A thread only uses the compile cache if its environment names the folder. */
function withCompileCache(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const versionFolder = getCompileCacheDir();
  return versionFolder === undefined
    ? environment
    : { ...environment, NODE_COMPILE_CACHE: dirname(versionFolder) };
}

/** The size of the heap for young objects. A larger size saves little time and takes more memory. */
const YOUNG_OBJECTS_MB = 16;

/**
 * Starts the reference server in a thread of its own.
 * @throws the error that prevents the start
 */
export async function startEmbeddedServer(): Promise<EmbeddedServer> {
  const controlToken = randomBytes(24).toString("base64url");
  const worker = new Worker(THREAD, {
    workerData: { controlToken } satisfies ServerThreadData,
    env: withCompileCache(process.env),
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_OBJECTS_MB },
  });
  const [addresses]: ServerAddresses[] = await once(worker, "message");
  if (addresses === undefined) throw new Error("the reference server's thread sent no message");
  const ended = once(worker, "exit");
  // An error of the thread is reported when the server is closed; until then the target stops responding.
  ended.catch(() => {});
  return {
    url: addresses.url,
    control: { url: addresses.controlUrl, token: controlToken },
    async close() {
      worker.postMessage("close");
      await ended;
    },
  };
}
