import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { type Event, store } from "./store.ts";
import { verify } from "./verify.ts";

const MAX_BYTES = 1_000_000;
const FIRST_WAIT_MS = 200;
const LONGEST_WAIT_MS = 60_000;

/**
 * Processes an event after the response, and retries by itself, because the service never resends an event
 * that got a 2xx. In production, use a table or a broker that survives a restart, and write to it before the
 * response.
 */
async function work(webhookId: string, event: Event): Promise<void> {
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(2 * wait, LONGEST_WAIT_MS)) {
    try {
      return store.take(webhookId, event);
    } catch (error) {
      console.error(error);
      await pause(wait);
    }
  }
}

/** Returns the body's bytes, or undefined if the body is too large. */
async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size <= MAX_BYTES) chunks.push(chunk);
  }
  return size <= MAX_BYTES ? Buffer.concat(chunks) : undefined;
}

async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method !== "POST" || request.url !== "/hooks") return void response.writeHead(404).end();
  const body = await bodyOf(request);
  if (!body) return void response.writeHead(413).end();
  const verdict = verify(request.headers, body);
  if ("refuse" in verdict) return void response.writeHead(verdict.refuse).end();
  const event: Event = JSON.parse(body.toString());
  setImmediate(() => void work(verdict.id, event));
  response.writeHead(202).end();
}

const server = createServer((request, response) => {
  take(request, response).catch((error: unknown) => {
    console.error(error);
    response.writeHead(500).end();
  });
});

server.listen(Number(process.env.PORT ?? 3000), "127.0.0.1", () => {
  console.log("listening", server.address());
});
