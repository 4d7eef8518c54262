import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { listenAgain, listenOnSteadyPort } from "../../core/http/steady-port.ts";
import type { Answer, ReceiverDependencies, ReceiverState } from "./dependencies.ts";

export interface RunningReceiver {
  readonly url: string;
  readonly effectsUrl: string;
  close(): Promise<void>;
}

export interface ServeOptions {
  /** The milliseconds after which a stopped receiver restarts; undefined if it never does. */
  readonly backAfterMs?: number;
  /** Called before the response is written. */
  readonly prepare?: (response: ServerResponse, server: Server) => void;
  /** Writes the response. */
  readonly write?: (response: ServerResponse, status: number) => void;
  /** True if the effects interface reports the deliveries that the receiver stores. Defaults to true. */
  readonly holdsDeliveries?: boolean;
  /** True if the effects interface responds with a bare null for an unknown delivery. */
  readonly bareNull?: boolean;
}

const HOST = "127.0.0.1";

async function piecesOf(request: IncomingMessage): Promise<readonly Buffer[]> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece);
  return pieces;
}

/** Serves a receiver with these dependencies, and its effects interface, on a free port. */
export async function serveReceiver(
  deps: ReceiverDependencies,
  options: ServeOptions = {},
): Promise<RunningReceiver> {
  const state: ReceiverState = {
    deliveries: new Map(),
    processed: new Map(),
    failed: new Map(),
    failNext: false,
  };
  const {
    prepare = () => {},
    write = (response, status) => void response.writeHead(status).end(),
    holdsDeliveries = true,
    bareNull = false,
  } = options;
  const server = createServer((request, response) => {
    // An internal error results in a 500.
    handle(request, response).catch(() => response.headersSent || response.writeHead(500).end());
  });
  let closed = false;
  const port = await listenOnSteadyPort(server);

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? "/", `http://${HOST}`);
    const [, first, second, third = ""] = pathname.split("/");
    const body = deps.joined(await piecesOf(request));
    if (first === "effects") return effects(response, second, decodeURIComponent(third));
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [
        name,
        value === undefined ? value : [value].flat().join(", "),
      ]),
    );
    prepare(response, server);
    answer(response, await deps.receive(deps, state, { headers, rawHeaders: request.rawHeaders, body }));
  }

  function effects(response: ServerResponse, what: string | undefined, id: string): void {
    const kept = state.deliveries.get(id);
    const { version = null, status = null } = kept ?? {};
    const found = {
      events: { processed: state.processed.get(id) ?? 0, failed: state.failed.get(id) },
      deliveries: bareNull && !kept ? null : { version, status },
    };
    if (what === "events" || (what === "deliveries" && holdsDeliveries)) {
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(found[what]));
    } else {
      const failsNext = what === "fail-next";
      if (failsNext) state.failNext = true;
      response.writeHead(failsNext ? 204 : 404).end();
    }
  }

  function answer(response: ServerResponse, decided: Answer): void {
    if (decided === "close") response.destroy();
    else if (decided === "die") die();
    else if (decided !== "silence") write(response, decided);
  }

  function die(): void {
    server.close();
    server.closeAllConnections();
    const { backAfterMs } = options;
    if (backAfterMs !== undefined)
      setTimeout(() => listenAgain(server, port, () => closed), backAfterMs).unref();
  }

  return {
    url: `http://${HOST}:${port}/hooks`,
    effectsUrl: `http://${HOST}:${port}/effects`,
    close: async () => {
      closed = true;
      server.closeAllConnections();
      if (server.listening) await new Promise((resolve) => server.close(resolve));
    },
  };
}
