import Fastify from "fastify";
import { store } from "./store.ts";
import { verify } from "./verify.ts";

const app = Fastify();

// The signature covers the raw bytes, so bodies aren't parsed here.
app.removeAllContentTypeParsers();
app.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));

app.post("/hooks", async (request, reply) => {
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  const verdict = verify(request.headers, body);
  if ("refuse" in verdict) return reply.code(verdict.refuse).send();
  // An exception is answered with 500, and the service sends the event again. Unknown event types are
  // accepted.
  store.take(verdict.id, JSON.parse(body.toString()));
  return reply.code(204).send();
});

await app.listen({ port: Number(process.env.PORT ?? 3000), host: "127.0.0.1" });
console.log("listening", app.server.address());
