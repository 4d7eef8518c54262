import { isIP } from "node:net";
import { generate } from "selfsigned";
import { wallClock } from "../../../core/clock.ts";

const DAY_MS = 86_400_000;

/** A certificate with its key, and the CA that a target has to trust; all PEM. */
export interface Certificates {
  readonly cert: string;
  readonly key: string;
  readonly ca: string;
}

const made = new Map<string, Promise<Certificates>>();

/**
 * A CA and a certificate of its for the hosts, valid for a few days around now (the target's clock may differ). All
 * receivers of a process have the same ones.
 */
export function certificatesFor(hosts: readonly string[]): Promise<Certificates> {
  const key = hosts.join();
  const certificates = made.get(key) ?? makeCertificates(hosts);
  made.set(key, certificates);
  return certificates;
}

async function makeCertificates(hosts: readonly string[]): Promise<Certificates> {
  const validity = {
    keyType: "ec",
    algorithm: "sha256",
    notBeforeDate: new Date(wallClock() - 2 * DAY_MS),
    notAfterDate: new Date(wallClock() + 30 * DAY_MS),
  } as const;
  const ca = await generate([{ name: "commonName", value: "Internal CA" }], {
    ...validity,
    extensions: [
      { name: "basicConstraints", cA: true, critical: true },
      { name: "keyUsage", keyCertSign: true, cRLSign: true, critical: true },
    ],
  });
  const leaf = await generate([{ name: "commonName", value: "webhooks" }], {
    ...validity,
    ca: { key: ca.private, cert: ca.cert },
    extensions: [
      { name: "basicConstraints", cA: false },
      { name: "keyUsage", digitalSignature: true, keyEncipherment: true },
      { name: "extKeyUsage", serverAuth: true },
      {
        name: "subjectAltName",
        altNames: hosts.map((host) => (isIP(host) ? { type: 7, ip: host } : { type: 2, value: host })),
      },
    ],
  });
  return { cert: leaf.cert, key: leaf.private, ca: ca.cert };
}
