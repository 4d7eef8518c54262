import { scenarioNames } from "../../../suites/client/session/scenarios/scenarios.ts";
import { SMALLEST_TIME_SCALE } from "../../../suites/client/session/waits/backoff.ts";
import { nearest } from "../../nearest.ts";
import { type CommonFlags, type CommonSettings, commonSettings } from "../../settings/common.ts";
import { configFileFrom, readConfigFile } from "../../settings/config-file.ts";
import { duration, list, wholeNumber } from "../../settings/values.ts";
import { UsageError } from "../../usage-error.ts";

export interface ClientFlags extends CommonFlags {
  port?: string;
  scenario?: string;
  timeScale?: string;
  duration?: string;
  maxStarts?: string;
  confirm?: boolean;
  envFile?: string;
  writeEnv?: string;
  config?: string;
}

export interface ClientSettings extends CommonSettings {
  /** The sandbox's port; 0 for any free port. */
  readonly port: number;
  readonly scenarios: readonly string[];
  /** The factor by which the client multiplies its waits. */
  readonly timeScale: number;
  /** The maximum number of client starts; undefined if the suite decides. */
  readonly maxStarts: number | undefined;
  /** True if the command runs a second time after failures. */
  readonly confirms: boolean;
  readonly durationMs: number | undefined;
  /** The file to which base URL and credentials are written. */
  readonly envFile: string | undefined;
  /** The settings file; undefined for the default. */
  readonly configFile: string | undefined;
  /** The client's command and its arguments; empty if the user starts the client. */
  readonly command: readonly string[];
  /** True if the command's output is hidden. */
  readonly quiet: boolean;
}

/** The default of --duration for a run that starts the client's command. */
const DEFAULT_COMMAND_MS = 15 * 60_000;
const MAX_STARTS = 100;
const REAL_TIME = 1;

function scenariosFrom(value: string | undefined): readonly string[] {
  const names = list(value);
  if (names === undefined) return scenarioNames;
  if (names.length === 0)
    throw new UsageError(`--scenario is empty; the scenarios are ${scenarioNames.join(", ")}`);
  for (const name of names) {
    if (scenarioNames.includes(name)) continue;
    const meant = nearest(name, scenarioNames);
    throw new UsageError(
      `--scenario: unknown scenario ${name}${meant ? `; did you mean ${meant}?` : "."} The scenarios are ${scenarioNames.join(", ")}`,
    );
  }
  return names;
}

function timeScaleFrom(value: string | undefined): number {
  if (value === undefined) return REAL_TIME;
  const scale = Number(value);
  if (value.trim() !== "" && scale >= SMALLEST_TIME_SCALE && scale <= REAL_TIME) return scale;
  if (scale > 0 && scale < SMALLEST_TIME_SCALE) {
    throw new UsageError(
      `--time-scale ${value} is too small to distinguish a client's waits from its processing time: give ${SMALLEST_TIME_SCALE} or more`,
    );
  }
  throw new UsageError(
    `--time-scale takes a number from ${SMALLEST_TIME_SCALE} to ${REAL_TIME}, not ${value}`,
  );
}

/** @throws UsageError, whose message is one line */
export function clientSettings(
  flags: ClientFlags,
  command: readonly string[],
  environment: NodeJS.ProcessEnv,
): ClientSettings {
  const envFile = flags.envFile ?? flags.writeEnv;
  if (flags.envFile !== undefined && flags.writeEnv !== undefined) {
    throw new UsageError("--env-file and --write-env do the same: give one of them");
  }
  const file = configFileFrom(flags.config, environment);
  const config = file === undefined ? {} : readConfigFile(file, environment, ["without", "as_of"]);
  const common = commonSettings(flags, environment, "client", config, file);
  if (flags.json && command.length === 0 && envFile === undefined) {
    throw new UsageError(
      "with --json the credentials aren't printed: write them to a file with --env-file, or give the client's command after --",
    );
  }
  const durationMs = duration(flags.duration, command.length > 0 ? DEFAULT_COMMAND_MS : 0, "--duration");
  if (flags.duration !== undefined && durationMs === 0) {
    throw new UsageError("--duration must be longer than 0, such as 90s");
  }
  return {
    ...common,
    port: wholeNumber(flags.port, 0, "--port", 0, 65_535),
    scenarios: scenariosFrom(flags.scenario),
    timeScale: timeScaleFrom(flags.timeScale),
    maxStarts:
      flags.maxStarts === undefined
        ? undefined
        : wholeNumber(flags.maxStarts, 1, "--max-starts", 1, MAX_STARTS),
    confirms: flags.confirm ?? true,
    durationMs: durationMs === 0 ? undefined : durationMs,
    envFile,
    configFile: flags.config ?? environment.CONFORM_CONFIG,
    command,
    quiet: flags.quiet ?? false,
  };
}
