/**
 * The effects interface for the samples, for tests only. Preload it with a sample: it watches the store and reports the
 * effects of events.
 *
 *     node --import ./examples/receivers/effects.ts examples/receivers/express.ts
 */
import { createServer } from "node:http";
import { store } from "./store.ts";

const processed = new Map<string, number>();
let failNext = false;

const take = store.take.bind(store);

store.take = (webhookId, event) => {
  if (failNext && !store.has(webhookId)) {
    failNext = false;
    throw new Error("failing on purpose, because fail-next was requested");
  }
  const id = event.data?.id ?? "";
  const before = store.deliveries.get(id);
  take(webhookId, event);
  if (store.deliveries.get(id) !== before) processed.set(webhookId, (processed.get(webhookId) ?? 0) + 1);
};

const server = createServer((request, response) => {
  const [, kind, id = ""] = (request.url ?? "").split("/");
  if (request.method === "POST" && kind === "fail-next") {
    failNext = true;
    response.writeHead(204).end();
    return;
  }
  const stored = store.deliveries.get(id) ?? { version: null, status: null };
  const answer = kind === "events" ? { processed: processed.get(id) ?? 0 } : stored;
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
});

server.listen(Number(process.env.EFFECTS_PORT ?? 3001), "127.0.0.1", () => {
  console.log("effects", server.address());
});
