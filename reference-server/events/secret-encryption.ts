/** Webhook secrets at rest: AES-256-GCM, bound to whose they are, so that one row's secret is no use in another. */
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { existsSync, linkSync, readFileSync, unlinkSync, writeFileSync } from "node:fs";

export interface Sealing {
  seal(plain: string, owner: string): string;
  /** Throws where it was sealed with another key or for another owner. */
  open(sealed: string, owner: string): string;
}

const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;
const format = "v1.";

export function sealingWith(key: Buffer): Sealing {
  if (key.length !== keyBytes) throw new Error(`a sealing key has ${keyBytes} bytes`);
  return {
    seal(plain, owner) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(owner));
      const sealed = Buffer.concat([
        nonce,
        cipher.update(plain, "utf8"),
        cipher.final(),
        cipher.getAuthTag(),
      ]);
      return `${format}${sealed.toString("base64url")}`;
    },
    open(sealed, owner) {
      if (!sealed.startsWith(format)) throw new Error("not sealed in a format that is known");
      const bytes = Buffer.from(sealed.slice(format.length), "base64url");
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

/** A key for a database that nobody can open again. */
export function passingKey(): Buffer {
  return randomBytes(keyBytes);
}

/** The key that lies beside a database file, made where there is none yet; readable by its owner alone. */
export function keyBeside(database: string): Buffer {
  const path = `${database}.key`;
  if (!existsSync(path)) makeKey(path);
  const key = readKey(readFileSync(path, "utf8"));
  if (key === undefined) throw new Error(`${path} holds no key`);
  return key;
}

/** The file appears with the whole key in it or not at all, whatever happens meanwhile. */
function makeKey(path: string): void {
  const draft = `${path}.${randomBytes(6).toString("hex")}`;
  writeFileSync(draft, `${passingKey().toString("base64")}\n`, { mode: 0o600, flush: true });
  try {
    linkSync(draft, path);
  } catch (error) {
    // Another process was quicker: its key is the one.
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
