import { inShell } from "../../settings/in-shell.ts";

/** The flags that are copied into the command that repeats a run. */
export interface RepeatedFlags {
  controlToken?: string;
  clientId?: string[];
  clientSecret?: string[];
  pairingCode?: string[];
  jobs?: string;
  timeout?: string;
  identify?: boolean;
  maxWait?: string;
}

/** The parts of the command that repeats a run, without target, seed and secrets. */
export interface RepeatedParts {
  /** Assignments of environment variables before the command. */
  readonly variables: readonly string[];
  readonly words: readonly string[];
}

/** The placeholder for a value that the user fills in. */
const PLACEHOLDER = "…";

/**
 * The repeated flags and variables. Placeholders or references to environment variables replace secrets.
 */
export function repeatedParts(flags: RepeatedFlags, environment: NodeJS.ProcessEnv): RepeatedParts {
  const secret = (name: string, flag: string | readonly string[] | undefined) => {
    if (flag !== undefined)
      return [
        `${name}=${[flag]
          .flat()
          .map(() => PLACEHOLDER)
          .join(",")}`,
      ];
    return environment[name] === undefined ? [] : [`${name}="$${name}"`];
  };
  const clients = flags.clientId ?? [];
  // The run has used up the codes in the environment, so the command doesn't refer to them.
  const codes = flags.pairingCode ?? environment.CONFORM_PAIRING_CODE;
  const plainFlags = Object.entries({
    "--timeout": flags.timeout,
    "--max-wait": flags.maxWait,
    "--jobs": flags.jobs,
  });
  return {
    variables: [
      ...secret("CONFORM_CONTROL_TOKEN", flags.controlToken),
      ...secret("CONFORM_CLIENT_SECRET", flags.clientSecret),
    ],
    words: [
      ...clients.map((id) => `--client-id ${inShell(id)}`),
      ...(codes === undefined ? [] : [`--pairing-code ${PLACEHOLDER}`]),
      ...plainFlags.flatMap(([flag, value]) => (value === undefined ? [] : [`${flag} ${inShell(value)}`])),
      ...(flags.identify ? ["--identify"] : []),
    ],
  };
}
