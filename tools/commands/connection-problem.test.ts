import { once } from "node:events";
import { createServer, request, type ServerOptions } from "node:https";
import { afterEach, expect, test } from "vitest";
import { certificatesFor } from "../../suites/server/session/webhook-receiver/certificates.ts";
import { connectionProblem } from "./connection-problem.ts";

const open: (() => void)[] = [];
afterEach(() => {
  for (const close of open.splice(0)) close();
});

/** The problem of a request to a server with these TLS options. */
async function problemOf(options: ServerOptions): Promise<string> {
  const { cert, key, ca } = certificatesFor(["127.0.0.1"]);
  const server = createServer({ cert, key, ca, ...options }).listen(0, "127.0.0.1");
  open.push(() => server.close());
  await once(server, "listening");
  const sent = request({ ...Object(server.address()), host: "127.0.0.1", ca });
  const failed = once(sent, "error");
  sent.end();
  const [error] = await failed;
  return connectionProblem(error, 1_000);
}

const ASKS = { requestCert: true, rejectUnauthorized: true } as const;

test.each<[string, ServerOptions, string]>([
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
])("a server %s is named for what it is, without OpenSSL's words", async (_, options, problem) => {
  expect(await problemOf(options)).toBe(problem);
});
