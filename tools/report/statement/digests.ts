import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

export const sha256 = (text: string | Uint8Array): string => createHash("sha256").update(text).digest("hex");

const fileDigest = (path: string): string =>
  sha256(readFileSync(new URL(`../../../openapi/${path}`, import.meta.url)));

/** Of the API document that answers were held against. */
export const documentDigest = (): string => fileDigest("courier-dispatch.yaml");

/** Of the clauses that the run was graded by. */
export const ledgerDigest = (): string => fileDigest("generated/clauses.json");
