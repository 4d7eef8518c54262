import { NotTestable } from "../core/grading/failure.ts";
import type { Outcome } from "../core/grading/outcome.ts";
import { Redactor } from "../core/text/redact.ts";
import { outcomesOf } from "../engine/events.ts";
import { inSequence } from "../engine/order.ts";
import { run } from "../engine/run.ts";
import type { RunStart, RunTarget } from "../engine/target.ts";
import type { ClientCheck } from "./check.ts";
import { runCheck, wireOf } from "./run-check.ts";
import type { Evidence } from "./session/evidence.ts";
import { playRounds } from "./session/play-rounds.ts";
import { scenarioOrder } from "./session/scenarios.ts";
import { type ClientAccess, ClientSession, type ClientSessionOptions } from "./session/session.ts";
import { undecidedBy } from "./undecided.ts";

/** What a client did. */
export interface Played {
  readonly evidence: Evidence;
  /** Why there is nothing at all to look at: one reason is more than one for each check. */
  readonly silence?: string | undefined;
  /** Why the run ended before the client did. */
  readonly excess?: string | undefined;
}

export interface ClientTargetOptions {
  /** Lets the client play until it ends; an abort ends it. */
  readonly play: (start: Pick<RunStart<ClientCheck>, "notice" | "signal">) => Promise<Played>;
  readonly redact: Redactor;
  /** Whether all that the client sent and got is kept for the report. */
  readonly wire?: boolean;
}

/** An API client as the target of a run: it plays first, and then the checks are put to what was seen. */
export const clientTarget = ({
  play,
  redact,
  wire = false,
}: ClientTargetOptions): RunTarget<ClientCheck> => ({
  gradesWhenAborted: true,
  open: async ({ checks, ...start }) => {
    const { evidence, silence, excess } = await play(start);
    const [first] = checks;
    const outcomeOf = (check: ClientCheck): Outcome => ({
      ...runCheck(silence === undefined ? check : notTestable(check, silence), evidence, redact),
      // All checks read the same requests: the report holds them once.
      ...(wire && check === first && wireOf(evidence, redact)),
    });
    return {
      order: inSequence(checks),
      redact,
      // What was seen of the client stays the same: looking at it again shows nothing new.
      runOnce: async (check) => ({ outcome: outcomeOf(check), isCertain: true }),
      summary: () => ({
        requests: evidence.requests.length,
        ...(excess !== undefined && { targetLost: excess }),
      }),
      close: async () => {},
    };
  },
});

const notTestable = (check: ClientCheck, why: string): ClientCheck => ({
  ...check,
  judge() {
    throw new NotTestable(why);
  },
});

export interface ClientRun extends Pick<ClientSessionOptions, "timeScale" | "seed" | "startService"> {
  /** Plays the client, once for each round; it ends when the client does. */
  readonly client: (access: ClientAccess) => Promise<void>;
  readonly checks: readonly ClientCheck[];
  /** Names of the scenarios that are played. */
  readonly scenarios: readonly string[];
}

/** Lets a client play the scenarios inside this process, and puts the checks to what was seen of it. */
export function runClientChecks({
  client,
  checks,
  scenarios,
  ...options
}: ClientRun): Promise<ReadonlyMap<string, Outcome>> {
  const redact = new Redactor();
  const play = async (): Promise<Played> => {
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
      return { evidence: session.evidence() };
    } finally {
      await session.close();
    }
  };
  return outcomesOf(run(checks, clientTarget({ play, redact }), { seed: options.seed }));
}
