/** The longest line that can be pasted into a terminal in canonical mode. */
const MAX_PASTED = 4096;

/** True if the line can be pasted into a terminal. */
export const isPastable = (line: string): boolean => line.length <= MAX_PASTED;
