import { spawnSync } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, get } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Authority } from "./x509.ts";

const NOW = Date.now();
const DAY_MS = 86_400_000;
const HOSTS = [
  "127.0.0.1",
  "::1",
  "localhost",
  "hooks.example",
  `${"a".repeat(60)}.example`,
  `${"b".repeat(60)}.example`,
];
const authority = new Authority("test CA", { from: NOW - DAY_MS, to: NOW + DAY_MS });
const { cert, key } = authority.issue("webhooks", HOSTS);

test("a certificate contains its hosts, issuer and validity, and is signed by the issuer", () => {
  const [leaf, ca] = [new X509Certificate(cert), new X509Certificate(authority.certificate)];
  expect(leaf.subject).toBe("CN=webhooks");
  expect(leaf.checkIssued(ca) && leaf.verify(ca.publicKey)).toBe(true);
  expect([ca.ca, leaf.ca]).toEqual([true, false]);
  expect(HOSTS.filter((host) => !(leaf.checkHost(host) ?? leaf.checkIP(host)))).toEqual([]);
  expect(leaf.checkHost("elsewhere.example")).toBeUndefined();
  expect(Math.abs(leaf.validFromDate.getTime() - (NOW - DAY_MS))).toBeLessThan(1000);
  expect(Math.abs(leaf.validToDate.getTime() - (NOW + DAY_MS))).toBeLessThan(1000);
});

test("OpenSSL accepts the certificate in strict mode", () => {
  const folder = mkdtempSync(join(tmpdir(), "x509-"));
  const write = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const [ca, leaf] = [write("ca.pem", authority.certificate), write("leaf.pem", cert)];
  const args = ["verify", "-x509_strict", "-purpose", "sslserver", "-verify_hostname", "hooks.example"];
  const { stdout, stderr } = spawnSync("openssl", [...args, "-CAfile", ca, leaf], { encoding: "utf8" });
  rmSync(folder, { recursive: true });
  expect(stdout, stderr).toMatch(/leaf\.pem: OK/);
});

test("a client that trusts only the authority connects to a server with the certificate", async () => {
  const server = createServer({ cert, key }, (_, response) => response.end("reached"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const answer = await new Promise<string>((resolve, reject) => {
    get({ host: "127.0.0.1", port, ca: authority.certificate, agent: false }, (response) => {
      response.setEncoding("utf8").on("data", resolve);
    }).on("error", reject);
  });
  server.close();
  expect(answer).toBe("reached");
});
