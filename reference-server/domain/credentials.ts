/**
 * Secrets and tokens. All of them are long and random, so one SHA-256 is enough to keep them unreadable at rest: there
 * is nothing to guess that a slow hash would protect.
 */
import { hash, randomBytes, randomInt, randomUUID, timingSafeEqual } from "node:crypto";

/** What webhook secrets begin with (specification, Signature). */
export const secretPrefix = "whsec_";

export interface Credentials {
  hash(secret: string): string;
  /** Whether the secret is the one that was hashed; takes as long either way. */
  matches(secret: string, expectedHash: string): boolean;
}

export const credentials: Credentials = {
  hash: (secret) => hash("sha256", secret, "base64url"),
  matches(secret, expectedHash) {
    const given = Buffer.from(hash("sha256", secret, "base64url"));
    const expected = Buffer.from(expectedHash);
    return given.length === expected.length && timingSafeEqual(given, expected);
  },
};

/** Everything that is made up by chance. */
export interface Ids {
  uuid(): string;
  clientId(): string;
  clientSecret(): string;
  token(): string;
  pairingCode(): string;
  trackingKey(): string;
  webhookSecret(): string;
  /** Four digits, for the customer to say at the door. */
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
