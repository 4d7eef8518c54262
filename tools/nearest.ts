/** The number of inserted, removed and replaced letters between two ids. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

/** The most similar known name, for "did you mean"; undefined if no known name is similar enough. */
export function nearest(id: string, known: readonly string[]): string | undefined {
  const [best] = known
    .map((candidate) => ({ candidate, edits: distance(id, candidate) }))
    .sort((a, b) => a.edits - b.edits);
  return best && best.edits <= Math.min(Math.max(3, id.length / 3), id.length / 2)
    ? best.candidate
    : undefined;
}
