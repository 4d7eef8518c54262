import express from "express";
import { store } from "./store.ts";
import { verify } from "./verify.ts";

const app = express();

// The signature is over the bytes, so the body is taken raw: no express.json() before this route. An order of 200 items
// comes near the usual limit of 100 kB, and names of items have no bound.
const raw = express.raw({ type: () => true, limit: "1mb" });

app.post("/hooks", raw, (request, response) => {
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  const verdict = verify(request.headers, body);
  if ("refuse" in verdict) {
    response.sendStatus(verdict.refuse);
    return;
  }
  // What throws is answered with 500, and the event comes again. Kinds that aren't known are taken, too.
  store.take(verdict.id, JSON.parse(body.toString()));
  response.sendStatus(204);
});

const server = app.listen(Number(process.env.PORT ?? 3000), "127.0.0.1", () => {
  console.log("listening", server.address());
});
