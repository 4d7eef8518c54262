import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { createServer, request, type ServerOptions } from "node:https";
import { setDefaultCACertificates } from "node:tls";
import { afterEach, describe, expect, test } from "vitest";
import { openConnections, sendRequest } from "../../suites/core/http/connections.ts";
import { certificatesFor } from "../../suites/server/session/webhook-receiver/certificates.ts";
import { connectionProblem, connectionProblemAt } from "./connection-problem.ts";

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

/** The https URL of a server with these TLS options, or of a server that speaks http. */
async function serve(options: ServerOptions | "http"): Promise<string> {
  const { cert, key, ca } = certificatesFor(["127.0.0.1"]);
  setDefaultCACertificates([ca]);
  const server = options === "http" ? createHttpServer() : createServer({ cert, key, ca, ...options });
  server.listen(0, "127.0.0.1");
  open.push(() => server.close());
  await once(server, "listening");
  return `https://127.0.0.1:${Object(server.address()).port}/`;
}

const ASKS = { requestCert: true, rejectUnauthorized: true } as const;
const ANSWER_MS = 1_000;

describe.each<[string, ServerOptions | "http", string]>([
  [
    "that speaks http",
    "http",
    "it doesn't respond with TLS: for a port without TLS, give an address with http://",
  ],
  [
    "that supports only old TLS versions",
    { minVersion: "TLSv1", maxVersion: "TLSv1.1", ciphers: "DEFAULT@SECLEVEL=0" },
    "it supports no TLS version after 1.1: enable TLS 1.2 or 1.3",
  ],
  [
    "that requires a client certificate",
    { ...ASKS, minVersion: "TLSv1.3" },
    "it requires a client certificate, which isn't in the specification",
  ],
  [
    "that requires a client certificate over TLS 1.2",
    { ...ASKS, maxVersion: "TLSv1.2" },
    "it ended the TLS handshake: it requires a client certificate, which isn't in the specification, or there is no common cipher",
  ],
])("a server %s is described without OpenSSL's wording", (_, options, problem) => {
  test("with Node's own client, which sends to receivers", async () => {
    const sent = request(await serve(options));
    const failed = once(sent, "error");
    sent.end();
    const [error] = await failed;
    expect(connectionProblem(error, ANSWER_MS)).toBe(problem);
  });

  test("with undici, which sends to services", async () => {
    const url = await serve(options);
    const connections = openConnections({});
    open.push(() => connections.close());
    const failed = sendRequest(connections, url, {}, { timeoutMs: ANSWER_MS });
    const error = await failed.then(
      () => undefined,
      (why: unknown) => why,
    );
    expect(await connectionProblemAt(url, error, ANSWER_MS)).toBe(problem);
  });
});
