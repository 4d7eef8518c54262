import { mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { NAME } from "../../package.ts";
import { writeWhole } from "../../whole-file.ts";

/** How long checks took, milliseconds, by their ids. */
type Durations = Readonly<Record<string, number>>;

/** The user's cache folder; undefined if the environment names none. */
function cacheFolder(
  { XDG_CACHE_HOME, LOCALAPPDATA, HOME }: NodeJS.ProcessEnv,
  platform: NodeJS.Platform,
): string | undefined {
  if (XDG_CACHE_HOME) return XDG_CACHE_HOME;
  if (platform === "win32") return LOCALAPPDATA;
  return HOME && join(HOME, ...(platform === "darwin" ? ["Library", "Caches"] : [".cache"]));
}

/** The file for the durations of the last run; undefined if the environment names no cache folder. */
export function durationsFile(
  environment: NodeJS.ProcessEnv,
  platform: NodeJS.Platform = process.platform,
): string | undefined {
  const folder = cacheFolder(environment, platform);
  return folder && join(folder, NAME, "durations.json");
}

/** An unreadable file gives no durations: they only decide the order of the checks. */
export function readDurations(file: string | undefined): Durations {
  if (file === undefined) return {};
  try {
    const kept: unknown = JSON.parse(readFileSync(file, "utf8"));
    return Object.fromEntries(Object.entries(Object(kept)).filter(isDuration));
  } catch {
    return {};
  }
}

const isDuration = (entry: [string, unknown]): entry is [string, number] => typeof entry[1] === "number";

/** Adds the durations of the checks that passed. Without a cache folder that can be written, the next run has none. */
export function keepDurations(
  file: string | undefined,
  before: Durations,
  checks: readonly { readonly id: string; readonly status: string; readonly duration_ms: number }[],
): void {
  if (file === undefined) return;
  const passed = checks.filter(({ status }) => status === "passed");
  const durations = {
    ...before,
    ...Object.fromEntries(passed.map(({ id, duration_ms }) => [id, duration_ms])),
  };
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeWhole(file, `${JSON.stringify(durations, undefined, 2)}\n`);
  } catch {
    // A read-only home folder is common in containers.
  }
}
