import { textOf } from "../../suites/core/json.ts";
import { machineErrorOf } from "../../suites/core/machine-error.ts";

/**
 * Catches uncaught errors during a run. They are faults of the suite, and the run's results are still
 * reported.
 */
export class StrayErrors {
  readonly messages: string[] = [];
  readonly #isListening: boolean;

  constructor() {
    // A thread has only one such callback. If two runs share a thread, the first run's callback collects all errors.
    this.#isListening = !process.hasUncaughtExceptionCaptureCallback();
    if (this.#isListening)
      process.setUncaughtExceptionCaptureCallback((error: unknown) => {
        const machine = machineErrorOf(error);
        const told = error instanceof Error ? (error.stack ?? error.message) : textOf(error);
        this.messages.push(machine?.message ?? told);
      });
  }

  close(): void {
    if (this.#isListening) process.setUncaughtExceptionCaptureCallback(null);
  }
}
