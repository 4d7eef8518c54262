/**
 * Encrypts stored webhook secrets with AES-256-GCM, bound to their owner: a secret can't be decrypted in
 * another row.
 */
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { existsSync, linkSync, readFileSync, unlinkSync, writeFileSync } from "node:fs";

export interface SecretEncryption {
  encrypt(plain: string, owner: string): string;
  /** Throws if the secret was encrypted with another key or for another owner. */
  decrypt(encrypted: string, owner: string): string;
}

const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;
const format = "v1.";

export function secretEncryptionWith(key: Buffer): SecretEncryption {
  if (key.length !== keyBytes) throw new Error(`a key has ${keyBytes} bytes`);
  return {
    encrypt(plain, owner) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(owner));
      const encrypted = Buffer.concat([
        nonce,
        cipher.update(plain, "utf8"),
        cipher.final(),
        cipher.getAuthTag(),
      ]);
      return `${format}${encrypted.toString("base64url")}`;
    },
    decrypt(encrypted, owner) {
      if (!encrypted.startsWith(format)) throw new Error("unknown encryption format");
      const bytes = Buffer.from(encrypted.slice(format.length), "base64url");
      const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, nonceBytes), {
        authTagLength: tagBytes,
      });
      decipher.setAAD(Buffer.from(owner)).setAuthTag(bytes.subarray(-tagBytes));
      return (
        decipher.update(bytes.subarray(nonceBytes, -tagBytes), undefined, "utf8") + decipher.final("utf8")
      );
    },
  };
}

export function randomKey(): Buffer {
  return randomBytes(keyBytes);
}

/** The key next to a database file. A missing key is created, readable by its owner only. */
export function keyBesideDatabase(database: string): Buffer {
  const path = `${database}.key`;
  if (!existsSync(path)) makeKey(path);
  const key = readKey(readFileSync(path, "utf8"));
  if (key === undefined) throw new Error(`${path} holds no key`);
  return key;
}

/** Creates the file atomically, so that the file never contains part of a key. */
function makeKey(path: string): void {
  const draft = `${path}.${randomBytes(6).toString("hex")}`;
  writeFileSync(draft, `${randomKey().toString("base64")}\n`, { mode: 0o600, flush: true });
  try {
    linkSync(draft, path);
  } catch (error) {
    // Another process created the file first: use its key.
    if (!existsSync(path)) throw error;
  } finally {
    unlinkSync(draft);
  }
}

/** A key from its base64; undefined for anything else. */
export function readKey(text: string): Buffer | undefined {
  const key = Buffer.from(text.trim(), "base64");
  return key.length === keyBytes ? key : undefined;
}
