import type { Outcome } from "../../core/grading/outcome.ts";
import { type LagRecord, LIST_LAG_MS, ListReadings } from "../session/list-readings.ts";
import type { CheckAttempt } from "./lost-connections.ts";

/**
 * Tries a check again whose last look was at a list that may not have shown everything yet, and that failed: the second
 * time each list is read once it has to show what was written (OPEN-146). What can't be tried again, such as what takes
 * the last pairing code, can't be told from a list that lags.
 * @param settleMs how long after a change lists are read the second time
 * @param lag how second tries have ended so far in the run
 */
export async function retryOnLag(
  once: (lists: ListReadings) => Promise<CheckAttempt>,
  settleMs: number,
  lag: LagRecord,
): Promise<CheckAttempt> {
  const lists = new ListReadings();
  const first = await once(lists);
  const { outcome, connections, outage } = first;
  if (outcome.status !== "failed" || !lists.mayHaveLagged || connections.any || outage) return first;
  if (!lag.mayLag) return first;
  const again = await once(new ListReadings(settleMs));
  lag.noteSecondTry(again.outcome.status === "passed");
  return { ...again, outcome: told(again.outcome, outcome.message) };
}

/** How the second try ended, with what there is to say of the first. */
function told(outcome: Outcome, before = "it failed"): Outcome {
  if (outcome.status === "passed") {
    const lag = `tried again, since a list didn't show everything at first: it does ${LIST_LAG_MS / 1000} s after each change`;
    return { ...outcome, account: [...(outcome.account ?? []), lag] };
  }
  if (outcome.status !== "not_testable") return outcome;
  const message = `a list that may not have shown everything yet was looked at (${before}), and it couldn't be tried again: ${outcome.message}`;
  return { ...outcome, message };
}
