import type { Outcome } from "../core/grading/outcome.ts";
import { inSequence, runChecks } from "../core/run-checks.ts";
import { Redactor } from "../core/text/redact.ts";
import type { ClientCheck } from "./check.ts";
import { runCheck } from "./run-check.ts";
import { playRounds } from "./session/play-rounds.ts";
import { scenarioOrder } from "./session/scenarios.ts";
import { type ClientAccess, ClientSession, type ClientSessionOptions } from "./session/session.ts";
import { undecidedBy } from "./undecided.ts";

export interface ClientRun extends Pick<ClientSessionOptions, "timeScale" | "seed" | "startService"> {
  /** Plays the client, once for each round; it ends when the client does. */
  readonly client: (access: ClientAccess) => Promise<void>;
  readonly checks: readonly ClientCheck[];
  /** Names of the scenarios that are played. */
  readonly scenarios: readonly string[];
}

/** Lets a client play the scenarios inside this process, and puts the checks to what was seen of it. */
export async function runClientChecks({
  client,
  checks,
  scenarios,
  ...options
}: ClientRun): Promise<ReadonlyMap<string, Outcome>> {
  const redact = new Redactor();
  const session = await ClientSession.open({
    ...options,
    port: 0,
    scenarios: scenarioOrder(options.seed, scenarios),
    redact,
    notice: () => {},
  });
  try {
    await playRounds(session, await session.openRound({ begins: true }), {
      start: async (access) => {
        await client(access);
        return true;
      },
      undecided: undecidedBy(checks),
    });
    const evidence = session.evidence();
    return await runChecks(inSequence(checks), async (check) => runCheck(check, evidence, redact));
  } finally {
    await session.close();
  }
}
