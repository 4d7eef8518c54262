/**
 * Keeps errors that nobody catches from ending the process while a run goes on: they are faults of the suite, and what
 * the run finds is still reported.
 */
export class StrayErrors {
  readonly messages: string[] = [];
  readonly #isListening: boolean;

  constructor() {
    // There is one such callback in a thread; with two runs in it the first one's keeps them all.
    this.#isListening = !process.hasUncaughtExceptionCaptureCallback();
    if (this.#isListening)
      process.setUncaughtExceptionCaptureCallback((error: unknown) => {
        this.messages.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
      });
  }

  close(): void {
    if (this.#isListening) process.setUncaughtExceptionCaptureCallback(null);
  }
}
