/** Signals that end a run: from a user, a pipeline or a closed terminal. The run's results are kept. */
export const ENDING_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

let hasCome = false;

/** Called by each listener before it ends the process because of a signal. */
export const noteEnding = (): void => {
  hasCome = true;
};

/** True while the process is exiting: another signal would interrupt that. */
export const isEnding = (): boolean => hasCome;
