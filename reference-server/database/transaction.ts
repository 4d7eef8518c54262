/** Transactions, and what is to be done once one has committed. */
import type { Database, Tx } from "./schema.ts";

const waiting = new WeakMap<Tx, (() => void)[]>();

/** Runs the work in one transaction, undone where it throws; what was kept for afterwards follows the commit. */
export async function inTransaction<T>(database: Database, work: (tx: Tx) => Promise<T>): Promise<T> {
  const actions: (() => void)[] = [];
  const result = await database.transaction().execute((tx) => {
    waiting.set(tx, actions);
    return work(tx);
  });
  for (const action of actions) action();
  return result;
}

/** Has it done when the transaction has committed; never where it is undone. */
export function afterCommit(tx: Tx, action: () => void): void {
  const actions = waiting.get(tx);
  if (actions === undefined) throw new Error("not a transaction of this server");
  actions.push(action);
}
