import type { Evidence } from "./evidence.ts";
import type { Scenario } from "./scenarios/scenario.ts";
import type { ClientAccess, ClientSession } from "./session.ts";

interface PlayOptions {
  /** The maximum number of starts. Defaults to as many as are useful. */
  readonly maxStarts?: number | undefined;
  /** Starts the client, and reports whether it exited by itself. */
  readonly start: (access: ClientAccess, startNumber: number) => Promise<boolean>;
  /** The scenarios to play again because the evidence is inconclusive. */
  readonly undecided?: (evidence: Evidence) => readonly Scenario[];
}

/**
 * The maximum number of extra starts for inconclusive scenarios. If these aren't enough, the machine is too
 * busy for any number.
 */
const MAX_EXTRA_STARTS = 3;

/**
 * Starts a client repeatedly, each time with new credentials. Continues while the last start reached new
 * scenarios and some are left, or while a scenario is inconclusive. A start that the run has to end is the
 * last.
 * @param first the input of the first start
 */
export async function playStarts(
  session: ClientSession,
  first: ClientAccess,
  { maxStarts = Number.POSITIVE_INFINITY, start, undecided = () => [] }: PlayOptions,
): Promise<void> {
  const { plan } = session;
  let access = first;
  let again = 0;
  for (let startNumber = 1; ; startNumber += 1) {
    const before = plan.left.length;
    if (!(await start(access, startNumber))) return;
    session.hasEnded(startNumber);
    if (startNumber >= maxStarts) return;
    if (plan.left.length === 0 || plan.left.length === before) {
      const scenarios = again < MAX_EXTRA_STARTS ? undecided(session.evidence()) : [];
      if (scenarios.length === 0) return;
      plan.playAgain(scenarios);
      again += 1;
    }
    access = await session.openStart({ begins: true });
  }
}
