import { type Certification, certificationOf } from "../core/certification.ts";
import { Redactor } from "../core/redact.ts";
import { inSequence, runChecks } from "../core/run-checks.ts";
import type { ClientCheck } from "./check.ts";
import { clientChecks } from "./checks/index.ts";
import { examine } from "./run-check.ts";
import { playRounds } from "./session/play-rounds.ts";
import { playedBy, scenarioNames } from "./session/scenarios.ts";
import { type ClientAccess, ClientSession, type SessionOptions } from "./session/session.ts";
import { clientSuite } from "./suite.ts";

export interface ClientRun extends Pick<SessionOptions, "timeScale" | "seed" | "startService"> {
  /** Plays the client, once for each round; it ends when the client does. */
  readonly client: (access: ClientAccess) => Promise<void>;
  readonly checks?: readonly ClientCheck[];
  /** Names of the scenarios that are played; all where none are named. */
  readonly scenarios?: readonly string[];
}

/**
 * Certifies a client inside a vitest test: lets it play the scenarios, and puts the checks to what was seen of it. It is
 * how variants and samples are held against the suite.
 */
export async function certifyClient({
  client,
  checks = clientChecks,
  scenarios = scenarioNames,
  ...options
}: ClientRun): Promise<Certification> {
  const redact = new Redactor();
  const session = await ClientSession.open({
    ...options,
    port: 0,
    scenarios: playedBy(options.seed, scenarios),
    redact,
    notice: () => {},
  });
  try {
    await playRounds(session, await session.openRound({ begins: true }), {
      start: async (access) => {
        await client(access);
        return true;
      },
    });
    const evidence = session.evidence();
    const outcomes = await runChecks(inSequence(checks), async (check) => examine(check, evidence, redact));
    return certificationOf(clientSuite(checks), outcomes);
  } finally {
    await session.close();
  }
}
