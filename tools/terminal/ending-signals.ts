/** By which a person, a pipeline or a terminal that is closed ends a run: what it has seen is kept then. */
export const ENDING_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

let hasCome = false;

/** Told by whoever hears of one, and ends because of it. */
export const noteEnding = (): void => {
  hasCome = true;
};

/** Whether the process is on its way to its end: another signal would cut that short. */
export const isEnding = (): boolean => hasCome;
