import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { startReferenceServer } from "../embedded.ts";
import { openAccount } from "../testing/accounts.ts";
import { keyBesideDatabase, randomKey, secretEncryptionWith } from "./secret-encryption.ts";

const folder = mkdtempSync(join(tmpdir(), "encryption-"));
afterAll(() => rmSync(folder, { recursive: true }));

test("a key of another length is refused", () => {
  expect(() => secretEncryptionWith(Buffer.alloc(31))).toThrow("a key has 32 bytes");
});

test("a secret is decrypted only with the same key for the same owner, and its ciphertext differs each time", () => {
  const key = randomKey();
  const encryption = secretEncryptionWith(key);
  const encrypted = encryption.encrypt("whsec_x", "a");
  expect(secretEncryptionWith(key).decrypt(encrypted, "a")).toBe("whsec_x");
  expect(encryption.encrypt("whsec_x", "a")).not.toBe(encrypted);
  expect(() => encryption.decrypt(encrypted, "b")).toThrow();
  expect(() => secretEncryptionWith(randomKey()).decrypt(encrypted, "a")).toThrow();
  expect(() => encryption.decrypt(`${encrypted.slice(0, -6)}AAAAAA`, "a")).toThrow();
  expect(() => encryption.decrypt("whsec_x", "a")).toThrow();
});

test("the key file next to a database is created once, readable only by its owner", () => {
  const database = join(folder, "keys.db");
  expect(keyBesideDatabase(database)).toEqual(keyBesideDatabase(database));
  expect(statSync(`${database}.key`).mode & 0o777).toBe(0o600);
});

test("a database file doesn't contain a webhook's secret in plain text", async () => {
  const database = join(folder, "secrets.db");
  const server = await startReferenceServer({ database });
  const { api } = await openAccount(server);
  const { body } = await api.post("/v1/webhooks").send({ url: "https://hooks.example/" }).expect(201);
  await server.close();
  const secret = body.secret.replace("whsec_", "");
  expect(secret).toHaveLength(44);
  const files = readdirSync(folder).filter((name) => name.startsWith("secrets.db"));
  const bytes = Buffer.concat(files.map((name) => readFileSync(join(folder, name))));
  expect(bytes.includes("https://hooks.example/")).toBe(true);
  for (const form of [secret, Buffer.from(secret, "base64"), Buffer.from(secret, "base64").toString("hex")]) {
    expect(bytes.includes(form)).toBe(false);
  }
});
