const MAX_LINES = 24;

/** Merges repeated lines, and limits their number to what a person reads. */
export function shortened(lines: readonly string[]): readonly string[] {
  const runs: { text: string; times: number }[] = [];
  for (const text of lines) {
    const last = runs.at(-1);
    if (last?.text === text) last.times += 1;
    else runs.push({ text, times: 1 });
  }
  const shown = runs.slice(0, MAX_LINES).map(({ text, times }) => (times > 1 ? `${text}   ×${times}` : text));
  return runs.length > MAX_LINES ? [...shown, `… and ${runs.length - MAX_LINES} more`] : shown;
}
