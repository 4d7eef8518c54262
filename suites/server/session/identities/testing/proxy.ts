import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";

/** A response that the proxy sends instead of the server's. */
export interface Refusal {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What the proxy does with a request or its response. Undefined to forward both. */
export type Fate = Refusal | "request lost" | "response lost" | undefined;

interface Proxy {
  readonly url: string;
  close(): void;
}

/**
 * A proxy for tests of network faults.
 * @param fateOf decides about a request before it is forwarded
 * @param keepsOpen true to keep connections open between requests
 */
export async function startProxy(
  target: string,
  fateOf: (incoming: IncomingMessage) => Fate | Promise<Fate>,
  keepsOpen = false,
): Promise<Proxy> {
  const pass = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const fate = await fateOf(incoming);
    if (fate === "request lost") return incoming.socket.destroy();
    if (typeof fate === "object") {
      incoming.resume();
      return outgoing.writeHead(fate.status, fate.headers).end();
    }
    const { method, headers, url } = incoming;
    const onward = request(`${target}${url}`, { ...(method && { method }), headers, agent: false });
    const [, [response]] = await Promise.all([pipeline(incoming, onward), once(onward, "response")]);
    if (fate === "response lost") return incoming.socket.destroy();
    outgoing.writeHead(response.statusCode, {
      ...response.headers,
      ...(!keepsOpen && { connection: "close" }),
    });
    await pipeline(response, outgoing);
  };
  const proxy = createServer((incoming, outgoing) => {
    pass(incoming, outgoing).catch(() => outgoing.destroy());
  });
  await once(proxy.listen(0, "127.0.0.1"), "listening");
  const address = proxy.address();
  if (typeof address !== "object" || address === null) throw new Error("the proxy has no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: () => {
      proxy.closeAllConnections();
      proxy.close();
    },
  };
}
