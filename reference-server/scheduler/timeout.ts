import { setTimeout as pause } from "node:timers/promises";

/** Whether the work succeeds within `ms` of real time. */
export async function succeedsWithin(ms: number, work: Promise<unknown>): Promise<boolean> {
  const over = new AbortController();
  const succeeded = work.then(
    () => true,
    () => false,
  );
  const late = pause(ms, false, { signal: over.signal }).catch(() => false);
  try {
    return await Promise.race([succeeded, late]);
  } finally {
    over.abort();
  }
}
