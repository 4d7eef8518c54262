import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { store } from "./store.ts";
import { verify } from "./verify.ts";

const MAX_BYTES = 1_000_000;

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
  // Unknown event types are accepted.
  store.take(verdict.id, JSON.parse(body.toString()));
  response.writeHead(204).end();
}

const server = createServer((request, response) => {
  take(request, response).catch((error: unknown) => {
    console.error(error);
    // The service sends the event again.
    response.writeHead(500).end();
  });
});

server.listen(Number(process.env.PORT ?? 3000), "127.0.0.1", () => {
  console.log("listening", server.address());
});
