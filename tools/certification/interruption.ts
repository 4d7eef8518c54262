/** The signals that end a run early: Ctrl-C, SIGTERM, or a closed terminal. */
export interface Interruption {
  /** Resolves at the first signal: the run stops, cleans up and reports. */
  readonly first: Promise<void>;
  /** Resolves at the second signal: the run stops cleaning up, and reports. */
  readonly second?: Promise<void>;
}

export function signalOf(promise: Promise<void> | undefined): AbortSignal {
  const controller = new AbortController();
  void promise?.then(() => controller.abort());
  return controller.signal;
}
