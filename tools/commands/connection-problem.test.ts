import { once } from "node:events";
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

/** The URL of a server with these TLS options. */
async function serve(options: ServerOptions): Promise<string> {
  const { cert, key, ca } = certificatesFor(["127.0.0.1"]);
  setDefaultCACertificates([ca]);
  const server = createServer({ cert, key, ca, ...options }).listen(0, "127.0.0.1");
  open.push(() => server.close());
  await once(server, "listening");
  return `https://127.0.0.1:${Object(server.address()).port}/`;
}

const ASKS = { requestCert: true, rejectUnauthorized: true } as const;
const ANSWER_MS = 1_000;

describe.each<[string, ServerOptions, string]>([
  [
    "that speaks old TLS versions only",
    { minVersion: "TLSv1", maxVersion: "TLSv1.1", ciphers: "DEFAULT@SECLEVEL=0" },
    "it speaks no TLS version after 1.1: let it speak TLS 1.2 or 1.3",
  ],
  [
    "that demands a client certificate",
    { ...ASKS, minVersion: "TLSv1.3" },
    "it demands a client certificate, of which the specification says nothing",
  ],
  [
    "that demands a client certificate over TLS 1.2",
    { ...ASKS, maxVersion: "TLSv1.2" },
    "it ended the TLS handshake: it demands a client certificate, of which the specification says nothing, or shares no cipher",
  ],
])("a server %s is named for what it is, without OpenSSL's words", (_, options, problem) => {
  test("when Node's own client meets it, as for receivers", async () => {
    const sent = request(await serve(options));
    const failed = once(sent, "error");
    sent.end();
    const [error] = await failed;
    expect(connectionProblem(error, ANSWER_MS)).toBe(problem);
  });

  test("when undici meets it, as for services", async () => {
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
