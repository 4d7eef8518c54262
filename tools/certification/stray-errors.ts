import { textOf } from "../../suites/core/json.ts";
import { machineErrorOf } from "../../suites/core/machine-error.ts";

/**
 * Collects uncaught errors during a run, so that the run's results are still reported. An uncaught error is a fault of
 * the suite.
 */
export class StrayErrors {
  readonly messages: string[] = [];
  readonly #isListening: boolean;

  constructor() {
    // Node allows one callback for uncaught errors in each thread. With two runs in a thread, the first run collects all errors.
    this.#isListening = !process.hasUncaughtExceptionCaptureCallback();
    if (this.#isListening)
      process.setUncaughtExceptionCaptureCallback((error: unknown) => {
        const machine = machineErrorOf(error);
        const description = error instanceof Error ? (error.stack ?? error.message) : textOf(error);
        this.messages.push(machine?.message ?? description);
      });
  }

  close(): void {
    if (this.#isListening) process.setUncaughtExceptionCaptureCallback(null);
  }
}
