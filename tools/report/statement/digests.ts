import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

export const sha256 = (text: string | Uint8Array): string => createHash("sha256").update(text).digest("hex");

const fileDigest = (path: string): string =>
  sha256(readFileSync(new URL(`../../../openapi/${path}`, import.meta.url)));

/** The digest of the API document that responses were validated against. */
export const documentDigest = (): string => fileDigest("courier-dispatch.yaml");

/** The digest of the clauses that graded the run. */
export const clauseListDigest = (): string => fileDigest("generated/clauses.json");
