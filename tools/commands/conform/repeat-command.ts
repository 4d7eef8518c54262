import { inShell } from "../../settings/in-shell.ts";

/** The flags that are given again. */
export interface RepeatedFlags {
  controlToken?: string;
  clientId?: string[];
  clientSecret?: string[];
  pairingCode?: string[];
  jobs?: string;
  timeout?: string;
  as?: string;
  maxWait?: string;
}

/** What of a command line makes a run what it is beside its target and its seed; without secrets. */
export interface RepeatedParts {
  /** Assignments that go before the command. */
  readonly variables: readonly string[];
  readonly words: readonly string[];
}

/** What stands where a person has to put something. */
const YOURS = "…";

/**
 * What has to be given again: flags as they were, secrets as places to fill in. Those of the environment are taken from
 * there again; where they were set for one command alone, it says by their name that they are missing.
 */
export function repeatedParts(flags: RepeatedFlags, environment: NodeJS.ProcessEnv): RepeatedParts {
  const secret = (name: string, flag: string | readonly string[] | undefined) => {
    if (flag !== undefined)
      return [
        `${name}=${[flag]
          .flat()
          .map(() => YOURS)
          .join(",")}`,
      ];
    return environment[name] === undefined ? [] : [`${name}="$${name}"`];
  };
  const clients = flags.clientId ?? [];
  // The run has used the codes up, so that the environment's are of no use either.
  const codes = flags.pairingCode ?? environment.CONFORM_PAIRING_CODE;
  const plain = Object.entries({
    "--timeout": flags.timeout,
    "--max-wait": flags.maxWait,
    "--jobs": flags.jobs,
    "--as": flags.as,
  });
  return {
    variables: [
      ...secret("CONFORM_CONTROL_TOKEN", flags.controlToken),
      ...secret("CONFORM_CLIENT_SECRET", flags.clientSecret),
    ],
    words: [
      ...clients.map((id) => `--client-id ${inShell(id)}`),
      ...(codes === undefined ? [] : [`--pairing-code ${YOURS}`]),
      ...plain.flatMap(([flag, value]) => (value === undefined ? [] : [`${flag} ${inShell(value)}`])),
    ],
  };
}
