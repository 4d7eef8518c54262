const MAX_LINES = 24;

/** Merges equal consecutive lines, and keeps at most MAX_LINES. */
export function shortened(lines: readonly string[]): readonly string[] {
  const groups: { text: string; times: number }[] = [];
  for (const text of lines) {
    const last = groups.at(-1);
    if (last?.text === text) last.times += 1;
    else groups.push({ text, times: 1 });
  }
  const shown = groups
    .slice(0, MAX_LINES)
    .map(({ text, times }) => (times > 1 ? `${text}   ×${times}` : text));
  return groups.length > MAX_LINES ? [...shown, `… and ${groups.length - MAX_LINES} more`] : shown;
}
