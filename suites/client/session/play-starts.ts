import type { Evidence } from "./evidence.ts";
import type { Scenario } from "./scenarios/scenario.ts";
import type { ClientAccess, ClientSession } from "./session.ts";

interface PlayOptions {
  /** The maximum number of starts. Defaults to the number that is useful. */
  readonly maxStarts?: number | undefined;
  /** True if a second instance of the client may play the scenario with the longest waits. */
  readonly mayOverlap?: boolean;
  /** Starts the client, and reports whether it exited by itself. */
  readonly start: (access: ClientAccess) => Promise<boolean>;
  /** Returns the scenarios to play again because their evidence is inconclusive. */
  readonly undecided?: (evidence: Evidence) => readonly Scenario[];
}

/**
 * The maximum number of extra starts for inconclusive scenarios. If they aren't enough, the machine is too busy
 * for any number of starts.
 */
const MAX_EXTRA_STARTS = 3;

/**
 * Starts a client repeatedly, each time with new credentials. Continues while the last start reached new
 * scenarios and some scenarios are left, or while a scenario is inconclusive. Ends after a start whose client
 * doesn't exit by itself.
 * @param first the input of the first start
 */
export async function playStarts(
  session: ClientSession,
  first: ClientAccess,
  { maxStarts = Number.POSITIVE_INFINITY, mayOverlap = false, start, undecided = () => [] }: PlayOptions,
): Promise<void> {
  const { plan } = session;
  let count = 0;
  const play = async (access: ClientAccess): Promise<boolean> => {
    count += 1;
    const isOver = await start(access);
    if (isOver) session.hasEnded(access.startNumber);
    return isOver;
  };
  const another = () => session.openStart({ hasBegun: true });
  /** Starts the client while it reaches new scenarios. False if the client of a start didn't exit by itself. */
  const playNew = async (access: ClientAccess): Promise<boolean> => {
    for (let next = access; ; next = await another()) {
      if (!(await play(next))) return false;
      if (count >= maxStarts || plan.scenariosLeft.length === 0 || !plan.hasNewIn(next.startNumber))
        return true;
    }
  };
  const reserved = mayOverlap ? await startForLongest(session) : undefined;
  const longest =
    reserved &&
    session.firstRequest.then(() => {
      session.overlaps();
      return play(reserved);
    });
  longest?.catch(() => {});
  const isOver = await playNew(first);
  if (!session.hasBegun) return;
  await longest;
  if (!isOver) return;
  if (plan.release() && !(await playNew(await another()))) return;
  for (let extra = 0; extra < MAX_EXTRA_STARTS && count < maxStarts; extra += 1) {
    const scenarios = undecided(session.evidence());
    if (scenarios.length === 0) return;
    plan.playAgain(scenarios);
    if (!(await play(await another()))) return;
  }
}

/**
 * Creates a start for the scenario with the longest waits. Undefined if no other scenario is left to play at
 * the same time.
 */
async function startForLongest(session: ClientSession): Promise<ClientAccess | undefined> {
  const { plan } = session;
  if (!plan.longest) return undefined;
  const access = await session.openStart({ hasBegun: false });
  return plan.reserveLongest(access.startNumber) ? access : undefined;
}
