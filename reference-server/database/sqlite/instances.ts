/** The instance on a SQLite database. */
import { randomUUID } from "node:crypto";
import type { Instances } from "../instances.ts";

/** An instance without others. */
export function soleInstance(): Instances {
  const id = randomUUID();
  return {
    id,
    join: async () => {},
    present: async () => [id],
    notifyClockMoved: async () => {},
    leave: async () => {},
  };
}
