import type { ClientAccess, ClientSession } from "./session.ts";

export interface PlayOptions {
  /** How many starts there may be at most; as many as are of use where nothing is said. */
  readonly rounds?: number | undefined;
  /** Starts the client, and says when it is over whether it ended by itself. */
  readonly start: (access: ClientAccess, round: number) => Promise<boolean>;
}

/**
 * Starts a client again and again, with fresh credentials each time, as long as scenarios are left and the last start
 * met some of them. It ends with the first start that is ended from outside.
 * @param first what the first start gets
 */
export async function playRounds(
  session: ClientSession,
  first: ClientAccess,
  { rounds = Number.POSITIVE_INFINITY, start }: PlayOptions,
): Promise<void> {
  const { plan } = session;
  let access = first;
  for (let round = 1; ; round += 1) {
    const before = plan.left.length;
    if (!(await start(access, round))) return;
    session.hasEnded(round);
    if (plan.left.length === 0 || plan.left.length === before || round >= rounds) return;
    access = await session.openRound({ begins: true });
  }
}
