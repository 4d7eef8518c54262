/** Transactions, and what is to be done once one has committed. */
import { dialectOf } from "./dialect.ts";
import type { Database, Tx } from "./schema.ts";

const waiting = new WeakMap<Tx, (() => void)[]>();

const mostTries = 3;

/**
 * Runs the work in one transaction, undone where it throws; what was kept for afterwards follows the commit. Where
 * another transaction stood in its way, the work is done once more.
 */
export async function inTransaction<T>(database: Database, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    const actions: (() => void)[] = [];
    try {
      const result = await database.transaction().execute((tx) => {
        waiting.set(tx, actions);
        return work(tx);
      });
      for (const action of actions) action();
      return result;
    } catch (error) {
      if (tries === mostTries || !dialectOf(database).isConflict(error)) throw error;
    }
  }
}

/** Has it done when the transaction has committed; never where it is undone. */
export function afterCommit(tx: Tx, action: () => void): void {
  const actions = waiting.get(tx);
  if (actions === undefined) throw new Error("not a transaction of this server");
  actions.push(action);
}
