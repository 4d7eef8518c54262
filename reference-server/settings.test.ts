import { expect, test } from "vitest";
import { readSettings, SettingError } from "./settings.ts";

test("all settings are optional", () => {
  expect(readSettings({})).toEqual({
    port: 3000,
    host: "127.0.0.1",
    controlToken: null,
    database: ":memory:",
    trustedOrigins: [],
    trustedProxies: [],
  });
});

test("webhook key and trusted origins are read", () => {
  const key = Buffer.alloc(32, 7);
  const settings = readSettings({
    WEBHOOK_KEY: key.toString("base64"),
    TRUSTED_RECEIVERS: "https://127.0.0.1:9443, https://hooks.internal/path",
  });
  expect(settings.webhookKey).toEqual(key);
  expect(settings.trustedOrigins).toEqual(["https://127.0.0.1:9443", "https://hooks.internal"]);
});

test("the settings of several servers behind a proxy are read", () => {
  const settings = readSettings({
    DATABASE_URL: "postgres://u:p@db/courier",
    REDIS_URL: "redis://cache:6379",
    WEBHOOK_KEY: Buffer.alloc(32, 7).toString("base64"),
    TRUSTED_PROXIES: "10.0.0.1, 172.16.0.0/12,fd00::/8",
  });
  expect(settings).toMatchObject({
    database: "postgres://u:p@db/courier",
    redis: "redis://cache:6379",
    trustedProxies: ["10.0.0.1", "172.16.0.0/12", "fd00::/8"],
  });
});

test("PostgreSQL requires a webhook key", () => {
  expect(() => readSettings({ DATABASE_URL: "postgres://u:p@db/courier" })).toThrow(/^WEBHOOK_KEY is needed/);
});

test.each([
  { WEBHOOK_KEY: "c2hvcnQ=" },
  { TRUSTED_RECEIVERS: "http://127.0.0.1" },
  { PORT: "70000" },
  { DATABASE_URL: "mysql://x" },
  { PUBLIC_URL: "ftp://x" },
  { REDIS_URL: "http://x" },
  { CONTROL_TOKEN: "secret-of-15-ch" },
  { TRUSTED_PROXIES: "balancer" },
  { TRUSTED_PROXIES: "10.0.0.0/40" },
])("%j is refused in one line that doesn't repeat a key", (environment) => {
  const [value] = Object.values(environment);
  const reading = () => readSettings(environment);
  expect(reading).toThrow(SettingError);
  if ("WEBHOOK_KEY" in environment || "CONTROL_TOKEN" in environment) expect(reading).not.toThrow(value);
});
