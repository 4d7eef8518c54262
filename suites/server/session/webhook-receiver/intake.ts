/** A run causes some thousand events of a few kilobytes. The limits are far higher, but fit into memory. */
export const INTAKE_LIMITS: IntakeLimits = { bytes: 64 * 1024 * 1024, attempts: 50_000 };

/** Limits for all webhooks of a run. */
export interface IntakeLimits {
  readonly bytes: number;
  readonly attempts: number;
}

/** Counts received webhooks, and reports if there are more than a run can cause. */
export class Intake {
  #bytes = 0;
  #attempts = 0;
  #excess: string | undefined;
  readonly #limits: IntakeLimits;
  readonly #onExcess: (excess: string) => void;

  /** @param onExcess called once with a message */
  constructor(limits: IntakeLimits, onExcess: (excess: string) => void) {
    this.#limits = limits;
    this.#onExcess = onExcess;
  }

  /** Why the receiver accepts no more webhooks. Undefined while it accepts webhooks. */
  get excess(): string | undefined {
    return this.#excess;
  }

  /**
   * Counts an attempt.
   * @returns true if the receiver accepts the attempt
   */
  begin(): boolean {
    this.#attempts += 1;
    const { attempts } = this.#limits;
    if (this.#attempts > attempts) this.#end(`more than ${attempts} webhooks`);
    return this.#excess === undefined;
  }

  /**
   * Counts a part of a body.
   * @returns true if the receiver accepts the part
   */
  add(bytes: number): boolean {
    this.#bytes += bytes;
    const megabytes = this.#limits.bytes / 1024 / 1024;
    if (this.#bytes > this.#limits.bytes) this.#end(`webhooks of more than ${megabytes} MB`);
    return this.#excess === undefined;
  }

  #end(what: string): void {
    if (this.#excess !== undefined) return;
    this.#excess = `the target has sent ${what}, which no run can cause: no more are accepted`;
    this.#onExcess(this.#excess);
  }
}
