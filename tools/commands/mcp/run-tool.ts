import { commandWith } from "../../../suites/core/command-line.ts";
import type { Interruption } from "../../certification/interruption.ts";
import type { Report } from "../../report/model.ts";
import type { Output } from "../../terminal/output.ts";
import { UsageError } from "../../usage-error.ts";
import { conform, repeatCommand } from "../conform/conform.ts";
import { type ConformFlags, type ConformSettings, conformSettings } from "../conform/settings.ts";

/** The flags and environment with which the user started the command. */
export interface Operator {
  readonly flags: ConformFlags;
  readonly environment: NodeJS.ProcessEnv;
}

export interface RunArguments {
  readonly url?: string;
  readonly control_url?: string;
  readonly only?: readonly string[];
  readonly claims?: readonly string[];
  readonly seed?: number;
  readonly bail?: number;
  readonly report?: string;
}

const originsOf = ({ url, control }: ConformSettings): readonly string[] =>
  [url, control?.url].flatMap((one) => (one !== undefined && URL.canParse(one) ? [new URL(one).origin] : []));

const isOnThisMachine = (origin: string): boolean =>
  /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(origin).hostname);

/**
 * The settings of a run that an agent requests. The user's secrets are sent only to the user's target and to this
 * machine, because an agent may have its URL from an untrusted source.
 * @throws UsageError
 */
export function runSettings({ flags, environment }: Operator, request: RunArguments): ConformSettings {
  const settings = conformSettings(
    {
      ...flags,
      ...(request.url !== undefined && { url: request.url }),
      ...(request.control_url !== undefined && { controlUrl: request.control_url }),
      ...(request.only && { only: [...request.only] }),
      ...(request.claims && { claims: request.claims.join(",") }),
      ...(request.seed !== undefined && { seed: String(request.seed) }),
      ...(request.bail !== undefined && { bail: String(request.bail) }),
      ...(request.report !== undefined && { report: request.report }),
    },
    environment,
  );
  if (request.url === undefined && request.control_url === undefined) return settings;
  const own = originsOf(conformSettings(flags, environment));
  const foreign = originsOf(settings).find((origin) => !isOnThisMachine(origin) && !own.includes(origin));
  if (foreign === undefined) return settings;
  throw new UsageError(
    `run doesn't send requests to ${foreign}, which is neither on this machine nor the target of mcp: start mcp with --url ${foreign}`,
  );
}

/** An output that isn't printed, because the protocol uses standard output. */
function outputTo(result: (text: string) => void, progress: (text: string) => void): Output {
  const nowhere = () => {};
  return {
    interactive: false,
    colours: false,
    quiet: false,
    json: false,
    line: progress,
    result,
    data: nowhere,
    event: nowhere,
    status: nowhere,
  };
}

export interface LastRun {
  readonly report: Report;
  readonly repeatCommand: string;
}

/** Certifies a server. @returns the result as the terminal would show it */
export async function runChecks(
  settings: ConformSettings,
  interruption: Interruption,
  progress: (text: string) => void,
): Promise<LastRun & { readonly text: string }> {
  const lines: string[] = [];
  const report = await conform(
    settings,
    outputTo((text) => lines.push(text), progress),
    interruption,
  );
  return { report, text: lines.join("\n"), repeatCommand: repeatCommand(commandWith("conform"), settings) };
}
