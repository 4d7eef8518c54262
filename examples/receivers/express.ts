import express from "express";
import { store } from "./store.ts";
import { verify } from "./verify.ts";

const app = express();

// The signature covers the raw bytes, so express.json() must not run before this route. An order of 200 items comes
// near the default limit of 100 kB, and item names have no limit.
const raw = express.raw({ type: () => true, limit: "1mb" });

app.post("/hooks", raw, (request, response) => {
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  const verdict = verify(request.headers, body);
  if ("refuse" in verdict) {
    response.sendStatus(verdict.refuse);
    return;
  }
  // An exception is answered with 500, and the service sends the event again. Unknown event types are
  // accepted.
  store.take(verdict.id, JSON.parse(body.toString()));
  response.sendStatus(204);
});

const server = app.listen(Number(process.env.PORT ?? 3000), "127.0.0.1", () => {
  console.log("listening", server.address());
});
