/**
 * The server's settings from environment variables. All settings are optional. An invalid setting causes a one-line error.
 */
import { isIP } from "node:net";
import { defaultLocation, dialectAt, dialects, locationOf } from "./database/open.ts";
import { missingKeyMessage, type StartOptions } from "./embedded.ts";
import { readKey } from "./events/secret-encryption.ts";

/** An invalid setting. The message names the setting and its requirement. */
export class SettingError extends Error {}

/**
 * PORT (3000), HOST (127.0.0.1), DATABASE_URL (`file:…` or `postgres://…`; defaults to memory), REDIS_URL
 * (`redis://…` for shared rate limits; defaults to counters in the process), CONTROL_TOKEN (at least 16
 * characters; without it there is no control interface), PUBLIC_URL (the public base URL), WEBHOOK_KEY
 * (encrypts webhook secrets, 32 bytes as base64; generated next to a database file, required with
 * PostgreSQL), TRUSTED_RECEIVERS (comma-separated private origins that webhooks may go to), TRUSTED_PROXIES
 * (comma-separated addresses or networks of proxies in front of the server).
 */
export function readSettings(environment: Record<string, string | undefined>): StartOptions {
  const setting = (name: string) => environment[name]?.trim() || undefined;
  const list = (name: string) => setting(name)?.split(",") ?? [];
  const publicUrl = setting("PUBLIC_URL");
  if (publicUrl !== undefined && !/^https?:$/.test(URL.parse(publicUrl)?.protocol ?? "")) {
    throw new SettingError(`PUBLIC_URL must be an http or https address: ${publicUrl}`);
  }
  const database = databaseOf(setting("DATABASE_URL"));
  const redis = setting("REDIS_URL");
  const key = setting("WEBHOOK_KEY");
  const dialect = dialectAt(database);
  if (key === undefined && dialect.isShared) throw new SettingError(missingKeyMessage(dialect));
  return {
    port: portOf(setting("PORT") ?? "3000"),
    host: setting("HOST") ?? "127.0.0.1",
    controlToken: controlTokenOf(setting("CONTROL_TOKEN")),
    database,
    ...(redis !== undefined && { redis: redisOf(redis) }),
    ...(publicUrl !== undefined && { publicUrl: publicUrl.replace(/\/+$/, "") }),
    ...(key !== undefined && { webhookKey: keyOf(key) }),
    trustedOrigins: list("TRUSTED_RECEIVERS").map(originOf),
    trustedProxies: list("TRUSTED_PROXIES").map(networkOf),
  };
}

/** The control token gives full access, so a short one is refused. Errors never show it. */
export const SHORTEST_CONTROL_TOKEN = 16;

function controlTokenOf(token: string | undefined): string | null {
  if (token === undefined || token.length >= SHORTEST_CONTROL_TOKEN) return token ?? null;
  throw new SettingError(
    `CONTROL_TOKEN needs ${SHORTEST_CONTROL_TOKEN} characters or more: use a random one (openssl rand -base64 24)`,
  );
}

function portOf(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new SettingError(`PORT must be a port number: ${text}`);
  return port;
}

/** Errors never show the URL, because it may contain a password. */
function databaseOf(url: string | undefined): string {
  if (url === undefined) return defaultLocation;
  const location = locationOf(url);
  if (location !== undefined) return location;
  const forms = dialects.map(({ urlForm }) => urlForm).sort();
  throw new SettingError(`DATABASE_URL should be ${forms.join(" or ")}, or be left out`);
}

function redisOf(url: string): string {
  if (/^rediss?:$/.test(URL.parse(url)?.protocol ?? "")) return url;
  throw new SettingError("REDIS_URL should be redis://HOST:PORT or rediss://HOST:PORT, or be left out");
}

function networkOf(text: string): string {
  const network = text.trim();
  const [address = "", bits = "0", ...rest] = network.split("/");
  const most = isIP(address) === 4 ? 32 : 128;
  if (isIP(address) !== 0 && /^\d+$/.test(bits) && Number(bits) <= most && rest.length === 0) return network;
  throw new SettingError(`TRUSTED_PROXIES must list IP addresses or networks: ${network}`);
}

/** Errors never show an invalid key, because it may be another secret. */
function keyOf(text: string): Buffer {
  const key = readKey(text);
  if (key === undefined) throw new SettingError("WEBHOOK_KEY should be 32 bytes as base64");
  return key;
}

function originOf(text: string): string {
  const url = URL.parse(text.trim());
  if (url?.protocol !== "https:")
    throw new SettingError(`TRUSTED_RECEIVERS must be https addresses: ${text}`);
  return url.origin;
}
