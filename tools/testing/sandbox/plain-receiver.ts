/**
 * A receiver on a developer's machine: plain HTTP, and signatures verified with the standardwebhooks package.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";

interface Arrival {
  readonly webhookId: string;
  readonly type: string;
  readonly version: number | null;
  readonly data: unknown;
  readonly headers: Readonly<Record<string, string>>;
  /** The positions of its arrival and response in the sequence of all arrivals and responses. */
  readonly from: number;
  readonly to: number;
}

export interface PlainReceiver {
  readonly url: string;
  /** Verified events that were answered. */
  readonly arrivals: readonly Arrival[];
  /** The number of events with an invalid signature. */
  refused(): number;
  close(): void;
}

/**
 * @param statusOf the status for a verified event, awaited. Defaults to 204
 * @param host the listening address
 */
export async function openPlainReceiver(
  secret: string,
  statusOf: (event: { readonly type: string; readonly webhookId: string }) => number | Promise<number> = () =>
    204,
  host = "127.0.0.1",
): Promise<PlainReceiver> {
  const arrivals: Arrival[] = [];
  let refused = 0;
  let moment = 0;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const from = ++moment;
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    );
    try {
      const body = Buffer.concat(chunks).toString();
      new Webhook(secret).verify(body, headers);
      const event: { type: string; data: { version: number } | null } = JSON.parse(body);
      const { type } = event;
      const webhookId = headers["webhook-id"] ?? "";
      const status = await statusOf({ type, webhookId });
      const { data } = event;
      const version = data?.version ?? null;
      arrivals.push({ webhookId, type, version, data, headers, from, to: ++moment });
      response.writeHead(status).end();
    } catch {
      refused += 1;
      response.writeHead(401).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const address: AddressInfo | string | null = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://localhost:${port}/hooks`,
    arrivals,
    refused: () => refused,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
