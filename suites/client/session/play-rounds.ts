import type { Evidence } from "./evidence.ts";
import type { Scenario } from "./scenario.ts";
import type { ClientAccess, ClientSession } from "./session.ts";

export interface PlayOptions {
  /** How many starts there may be at most; as many as are of use where nothing is said. */
  readonly rounds?: number | undefined;
  /** Starts the client, and says when it is over whether it ended by itself. */
  readonly start: (access: ClientAccess, round: number) => Promise<boolean>;
  /** What is to be played again where all was played, since what was seen decides nothing; undefined for nothing. */
  readonly undecided?: (evidence: Evidence) => Scenario | undefined;
}

/** Starts for what is undecided: if they don't tell, the machine is too busy, and no further ones will. */
const MOST_AGAIN = 3;

/**
 * Starts a client again and again, with fresh credentials each time, as long as scenarios are left and the last start
 * met some of them, or something is undecided. It ends with the first start that is ended from outside.
 * @param first what the first start gets
 */
export async function playRounds(
  session: ClientSession,
  first: ClientAccess,
  { rounds = Number.POSITIVE_INFINITY, start, undecided = () => undefined }: PlayOptions,
): Promise<void> {
  const { plan } = session;
  let access = first;
  let again = 0;
  for (let round = 1; ; round += 1) {
    const before = plan.left.length;
    if (!(await start(access, round))) return;
    session.hasEnded(round);
    if (round >= rounds) return;
    if (plan.left.length === 0 || plan.left.length === before) {
      const scenario = again < MOST_AGAIN ? undecided(session.evidence()) : undefined;
      if (!scenario) return;
      plan.playAgain(scenario);
      again += 1;
    }
    access = await session.openRound({ begins: true });
  }
}
