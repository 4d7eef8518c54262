/** By which a person, a pipeline or a terminal that is closed ends a run: what it has seen is kept then. */
export const ENDING_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
