/** Does the work for each item in order, for a limited number at a time. */
export async function forEachConcurrently<Item>(
  items: readonly Item[],
  concurrency: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const queue = items.values();
  const worker = async () => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
}

/**
 * Does the work for all items concurrently, and waits for all.
 * @throws the first failed item's error
 */
export async function eachAtOnce<Item>(
  items: Iterable<Item>,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const ended = await Promise.allSettled(Array.from(items, work));
  for (const end of ended) if (end.status === "rejected") throw end.reason;
}

/** Shares work between callers. Runs never overlap. A call made during a run is served by the next run. */
export function shared(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;
  return () => {
    next ??= running
      .catch(() => {})
      .then(() => {
        next = undefined;
        running = work();
        return running;
      });
    return next;
  };
}
