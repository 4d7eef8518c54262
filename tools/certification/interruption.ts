/** Ends a run early: Ctrl-C, a pipeline's signal, or a closed terminal. */
export interface Interruption {
  /** Resolves at the first Ctrl-C: the run stops, cleans up and reports. */
  readonly first: Promise<void>;
  /** Resolves at the second: the run stops cleaning up, and reports. */
  readonly second?: Promise<void>;
}

/** A signal that is aborted when the promise resolves. */
export function signalOf(promise: Promise<void> | undefined): AbortSignal {
  const controller = new AbortController();
  void promise?.then(() => controller.abort());
  return controller.signal;
}
