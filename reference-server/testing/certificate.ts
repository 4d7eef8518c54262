import { generate } from "selfsigned";

/** A certificate for this machine by a new CA, in PEM. */
export async function issueCertificate(): Promise<{ ca: string; cert: string; key: string }> {
  const ca = await generate([{ name: "commonName", value: "test CA" }], {
    keyType: "ec",
    algorithm: "sha256",
    extensions: [
      { name: "basicConstraints", cA: true, critical: true },
      { name: "keyUsage", keyCertSign: true, critical: true },
    ],
  });
  const leaf = await generate([{ name: "commonName", value: "test receiver" }], {
    keyType: "ec",
    algorithm: "sha256",
    ca: { key: ca.private, cert: ca.cert },
    extensions: [
      {
        name: "subjectAltName",
        altNames: [
          { type: 7, ip: "127.0.0.1" },
          { type: 2, value: "localhost" },
        ],
      },
    ],
  });
  return { ca: ca.cert, cert: leaf.cert, key: leaf.private };
}
