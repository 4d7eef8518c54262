/** An https endpoint for webhook tests. It records requests, and responds as the test configures. */
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { createServer } from "node:https";
import { issueCertificate } from "./certificate.ts";

export interface Arrival {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  /** The parsed body. */
  event: { id: string; type: string; data: { id: string; version: number } | null };
}

/** Responds to a request, or leaves it open. `index` counts the requests to its path from 0. */
export type Reply = (response: ServerResponse, index: number) => void;

export interface TestReceiver {
  origin: string;
  ca: string;
  port: number;
  /** All connections opened so far. */
  connections(): number;
  /** The requests on a path, in order. */
  at(path: string): Arrival[];
  answer(path: string, reply: Reply): void;
  /** Waits for `count` requests on a path. */
  until(path: string, count: number): Promise<Arrival[]>;
  close(): Promise<void>;
}

/** Never responds. */
export const silence: Reply = () => {};

export const status =
  (code: number, headers: Record<string, string> = {}): Reply =>
  (response) =>
    response.writeHead(code, headers).end();

export async function openReceiver(): Promise<TestReceiver> {
  const { ca, cert, key } = await issueCertificate();
  const arrivals = new Map<string, Arrival[]>();
  const replies = new Map<string, Reply>();
  let waiting: (() => void)[] = [];
  const at = (path: string) => {
    const known = arrivals.get(path) ?? [];
    arrivals.set(path, known);
    return known;
  };
  const server = createServer({ cert, key }, async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString();
    const path = request.url ?? "/";
    const index = at(path).push({ path, headers: request.headers, body, event: JSON.parse(body) }) - 1;
    for (const resume of waiting.splice(0)) resume();
    (replies.get(path) ?? status(204))(response, index);
  });
  let connections = 0;
  server.on("connection", () => connections++);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("not listening");
  const { port } = address;
  return {
    origin: `https://127.0.0.1:${port}`,
    port,
    ca,
    connections: () => connections,
    at,
    answer: (path, reply) => void replies.set(path, reply),
    async until(path, count) {
      while (at(path).length < count) await new Promise<void>((resolve) => waiting.push(resolve));
      return at(path);
    },
    async close() {
      waiting = [];
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
