/** The signals of a user, a pipeline or a closed terminal that end a run. Its results are still reported. */
export const ENDING_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

let isProcessEnding = false;

/** Each signal listener calls this before it ends the process. */
export const noteEnding = (): void => {
  isProcessEnding = true;
};

/** True while the process is exiting. Another signal would interrupt the exit. */
export const isEnding = (): boolean => isProcessEnding;
