/**
 * Client secrets, tokens and pairing codes are stored as SHA-256 hashes: they are long and random, and only guessable
 * secrets need a slow hash. Webhook secrets are stored encrypted.
 */
import { hash, randomBytes, randomInt, randomUUID, timingSafeEqual } from "node:crypto";

/** The prefix of webhook secrets (specification, Signature). */
export const secretPrefix = "whsec_";

export interface SecretHasher {
  hash(secret: string): string;
  /** Compares in constant time. */
  matches(secret: string, expectedHash: string): boolean;
}

export const secretHasher: SecretHasher = {
  hash: (secret) => hash("sha256", secret, "base64url"),
  matches(secret, expectedHash) {
    const given = Buffer.from(hash("sha256", secret, "base64url"));
    const expected = Buffer.from(expectedHash);
    return given.length === expected.length && timingSafeEqual(given, expected);
  },
};

/** Random values. */
export interface Ids {
  uuid(): string;
  clientId(): string;
  clientSecret(): string;
  token(): string;
  pairingCode(): string;
  trackingKey(): string;
  webhookSecret(): string;
  /** Four digits that the customer tells the courier. */
  pin(): string;
}

export const ids: Ids = {
  uuid: () => randomUUID(),
  clientId: () => `ci_${randomBytes(12).toString("base64url")}`,
  clientSecret: () => `cs_${randomBytes(32).toString("base64url")}`,
  token: () => `at_${randomBytes(32).toString("base64url")}`,
  pairingCode: () => {
    const letters = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
    const pick = () => letters[randomInt(letters.length)];
    const group = () => Array.from({ length: 4 }, pick).join("");
    return `${group()}-${group()}-${group()}`;
  },
  trackingKey: () => randomBytes(16).toString("base64url"),
  webhookSecret: () => `${secretPrefix}${randomBytes(32).toString("base64")}`,
  pin: () => String(randomInt(10_000)).padStart(4, "0"),
};
