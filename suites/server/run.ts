import type { RunEvent } from "../engine/events.ts";
import { type RunOptions as EngineOptions, run as runOn } from "../engine/run.ts";
import type { AnyCheck } from "./check.ts";
import { type ServerRunOptions, serverTarget } from "./run-target.ts";
import { longestFirst } from "./schedule/schedule.ts";
import { settingsOf, type TargetDefinition } from "./session/sample-data/settings.ts";

export interface RunOptions extends EngineOptions, Pick<ServerRunOptions, "cleanUp" | "observe" | "wire"> {
  /** The checks' durations in an earlier run, in milliseconds. Long checks start first. */
  readonly lastDurationsMs?: Readonly<Record<string, number>>;
}

/**
 * Runs checks on a service and reports each as it ends. Leaving the loop early ends the run.
 * @throws if the service's control interface can't be opened
 */
export const run = (
  checks: readonly AnyCheck[],
  target: TargetDefinition,
  options: RunOptions & Pick<ServerRunOptions, "redact"> = {},
): AsyncGenerator<RunEvent<AnyCheck>, void, undefined> =>
  runOn(longestFirst(checks, options.lastDurationsMs), serverTarget(settingsOf(target), options), options);
