import { randomBytes } from "node:crypto";
import { instant } from "../../settings/values.ts";
import { webhookSecret } from "../../settings/webhook-secret.ts";
import { UsageError } from "../../usage-error.ts";

export interface SamplesFlags {
  out?: string;
  secret?: string;
  at?: string;
  seed?: string;
  json?: boolean;
}

export interface SamplesSettings {
  readonly folder: string;
  readonly secret: string;
  /** The sending time, as Unix time in milliseconds, rounded to seconds. */
  readonly at: number;
  readonly seed: string;
}

const DEFAULT_FOLDER = "samples";
const KEY_BYTES = 32;
const SEED_BYTES = 8;

/** @throws UsageError */
export function samplesSettings(
  flags: SamplesFlags,
  environment: NodeJS.ProcessEnv,
  now = Date.now(),
): SamplesSettings {
  if (flags.json && flags.out !== undefined) {
    throw new UsageError("--json writes no files: omit --out or --json");
  }
  const secret = flags.secret ?? environment.CONFORM_WEBHOOK_SECRET;
  const at = flags.at === undefined ? now : instant(flags.at, "--at");
  return {
    folder: flags.out ?? DEFAULT_FOLDER,
    secret:
      secret === undefined || secret === ""
        ? `whsec_${randomBytes(KEY_BYTES).toString("base64")}`
        : webhookSecret(secret, "give a secret of the form whsec_…, or omit the flag"),
    at: at - (at % 1000),
    seed: flags.seed ?? randomBytes(SEED_BYTES).toString("hex"),
  };
}
