/** The signals that end a run early: Ctrl-C, SIGTERM, or a closed terminal. */
export interface Interruption {
  /** Resolves at the first signal: the run stops, cleans up and reports. */
  readonly first: Promise<void>;
  /** Resolves at the second signal: the run stops cleaning up, and reports. */
  readonly second?: Promise<void>;
}

/** Returns an AbortSignal that is aborted when the promise resolves; never without a promise. */
export function signalOf(promise: Promise<void> | undefined): AbortSignal {
  const controller = new AbortController();
  void promise?.then(() => controller.abort());
  return controller.signal;
}
