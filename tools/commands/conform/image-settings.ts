import type { ConfigFile } from "../../settings/config-file.ts";
import { duration, inFile } from "../../settings/values.ts";
import { UsageError } from "../../usage-error.ts";

/** A container image that a run starts, certifies and stops. */
export interface ImageSettings {
  readonly name: string;
  /** The port of the service in the container; undefined for the exposed port. */
  readonly port: number | undefined;
  readonly environment: Readonly<Record<string, string>>;
  /** The time limit for the health check. */
  readonly startupMs: number;
}

const DEFAULT_STARTUP_MS = 60_000;

/**
 * The image from flag, environment or file. Undefined if a source of higher precedence gives a URL.
 */
export function imageFrom(
  flags: { url?: string; image?: string },
  environment: NodeJS.ProcessEnv,
  config: ConfigFile,
  file: string | undefined,
): ImageSettings | undefined {
  if (flags.image !== undefined && flags.url !== undefined) {
    throw new UsageError("--url and --image exclude each other: give one of them");
  }
  const url = flags.url ?? environment.CONFORM_URL;
  const name = flags.image ?? (url === undefined ? config.image?.name : undefined);
  if (name === undefined) return undefined;
  return {
    name,
    port: config.image?.port,
    environment: config.image?.environment ?? {},
    startupMs: duration(config.image?.startup, DEFAULT_STARTUP_MS, inFile("image.startup", file)),
  };
}
