import { machineErrorOf } from "../../suites/core/machine-error.ts";

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
        const machine = machineErrorOf(error);
        const told = error instanceof Error ? (error.stack ?? error.message) : String(error);
        this.messages.push(machine?.message ?? told);
      });
  }

  close(): void {
    if (this.#isListening) process.setUncaughtExceptionCaptureCallback(null);
  }
}
