/**
 * Reports a wait of the suite.
 * @param milliseconds the duration of the wait
 * @param why the reason for the wait
 * @param kind the kind of wait; each kind is reported once. Defaults to the reason
 */
export type NotifyOfWait = (milliseconds: number, why: string, kind?: string) => void;

const seconds = (milliseconds: number): number => Math.ceil(milliseconds / 1000);

/** Reports the first wait of each kind, and counts further waits. */
export class WaitNotices {
  readonly #kinds = new Set<string>();
  readonly #say: (text: string) => void;
  #unreported = 0;
  #count = 0;
  #waitedMs = 0;

  constructor(say: (text: string) => void) {
    this.#say = say;
  }

  readonly waiting: NotifyOfWait = (milliseconds, why, kind = why) => {
    this.#count += 1;
    this.#waitedMs += milliseconds;
    if (this.#kinds.has(kind)) {
      this.#unreported += 1;
      return;
    }
    this.#kinds.add(kind);
    this.#say(`waiting ${seconds(milliseconds)} s: ${why}`);
  };

  /** Reports a wait of unknown duration once. */
  readonly once = (text: string): void => {
    if (this.#kinds.has(text)) return;
    this.#kinds.add(text);
    this.#say(text);
  };

  /** Reports the total number of waits, if some weren't reported. */
  close(): void {
    if (this.#unreported === 0) return;
    this.#say(`waited ${this.#count} times, ${seconds(this.#waitedMs)} s in total, partly at the same time`);
  }
}
