/** Transactions with callbacks after the commit. */
import { dialectOf } from "./dialect.ts";
import type { Database, Tx } from "./schema.ts";

const waiting = new WeakMap<Tx, (() => void)[]>();

const mostTries = 3;

/**
 * Runs the work in a transaction, which is rolled back if it throws. After a conflict, the work is
 * repeated, with at most three tries. Callbacks of `afterCommit` run after the commit.
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

/** Registers a callback for after the commit. It never runs after a rollback. */
export function afterCommit(tx: Tx, action: () => void): void {
  const actions = waiting.get(tx);
  if (actions === undefined) throw new Error("not a transaction of this server");
  actions.push(action);
}
