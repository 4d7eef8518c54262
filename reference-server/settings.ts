/** The server's settings, read from an environment: each is optional, a bad one ends in one clear line. */
import type { StartOptions } from "./embedded.ts";
import { readKey } from "./events/sealing.ts";

/** Names a setting and what it should be. */
export class SettingError extends Error {}

/**
 * PORT (3000), HOST (127.0.0.1), DATABASE_URL (`file:…`; in memory), CONTROL_TOKEN (no control interface without it),
 * PUBLIC_URL (where the service is reached from outside), WEBHOOK_KEY (what webhook secrets are encrypted with, 32 bytes
 * as base64; made and kept beside the database file), TRUSTED_RECEIVERS (origins on private addresses that webhooks may
 * go to, with commas between them).
 */
export function readSettings(environment: Record<string, string | undefined>): StartOptions {
  const setting = (name: string) => environment[name]?.trim() || undefined;
  const publicUrl = setting("PUBLIC_URL");
  if (publicUrl !== undefined && !/^https?:$/.test(URL.parse(publicUrl)?.protocol ?? "")) {
    throw new SettingError(`PUBLIC_URL is no http or https address: ${publicUrl}`);
  }
  const key = setting("WEBHOOK_KEY");
  return {
    port: portOf(setting("PORT") ?? "3000"),
    host: setting("HOST") ?? "127.0.0.1",
    controlToken: setting("CONTROL_TOKEN") ?? null,
    database: locationOf(setting("DATABASE_URL")),
    ...(publicUrl !== undefined && { publicUrl: publicUrl.replace(/\/+$/, "") }),
    ...(key !== undefined && { sealingKey: keyOf(key) }),
    trustedOrigins: (setting("TRUSTED_RECEIVERS")?.split(",") ?? []).map(originOf),
  };
}

function portOf(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new SettingError(`PORT is no port number: ${text}`);
  return port;
}

function locationOf(url: string | undefined): string {
  if (url === undefined) return ":memory:";
  const match = /^file:(?:\/\/)?(.+)$/.exec(url);
  if (match?.[1] === undefined) throw new SettingError("DATABASE_URL should be file:PATH, or be left out");
  return match[1];
}

/** A key that doesn't fit isn't shown: it may be one for something else. */
function keyOf(text: string): Buffer {
  const key = readKey(text);
  if (key === undefined) throw new SettingError("WEBHOOK_KEY should be 32 bytes as base64");
  return key;
}

function originOf(text: string): string {
  const url = URL.parse(text.trim());
  if (url?.protocol !== "https:") throw new SettingError(`TRUSTED_RECEIVERS holds no https address: ${text}`);
  return url.origin;
}
