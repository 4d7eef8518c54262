import { wallClock } from "../../../core/clock.ts";
import { CheckSkipped } from "../../../core/grading/failures/failure.ts";
import { type Subject, subjectParts } from "../../../core/grading/failures/mismatch.ts";
import { described } from "../../../core/text/shown-value.ts";
import type { Attempt } from "./attempt.ts";
import { insteadOf } from "./missing-event.ts";
import { answerWith, type Reaction, statusOf } from "./reaction.ts";
import { WebhookFailure } from "./webhook-failure.ts";

/** Returns the endpoint's reaction to its n-th attempt, counted from 0. */
export type Responder = (attempt: Attempt, index: number) => Reaction;

/**
 * Milliseconds within which an event must arrive. Allows for a delay of seconds, another order, and duplicates.
 */
export const ARRIVAL_MS = 15_000;

/** Milliseconds between two calls of `isIdle`. */
const IDLE_POLL_MS = 100;

/** The number of characters of an invalid body that a failure shows. */
const BEGINNING = 80;

/** Where JSON text breaks, after its readable beginning: `: unexpected …"heading":NaN`. Empty for other text. */
function jsonFaultPlace(text: string): string {
  if (!/^[{[]/.test(text)) return "";
  try {
    JSON.parse(text);
    return "";
  } catch (error) {
    return error instanceof Error ? `: ${error.message}` : "";
  }
}

interface Waiter {
  readonly condition: (attempts: readonly Attempt[]) => boolean;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** How inboxes wait for a target that is known to be fast. */
export interface InboxWaits {
  /** The factor by which all waits are shortened. */
  readonly speedup?: number;
  /**
   * Resolves to true if a target in this process sends nothing within these milliseconds, so that a wait can
   * end.
   */
  readonly isIdle?: (withinMs: number) => Promise<boolean>;
}

/** An endpoint of the receiver, with its own path, responses and received attempts. */
export class Inbox {
  readonly attempts: Attempt[] = [];
  readonly #reactions: Reaction[] = [];
  readonly #waiters = new Set<Waiter>();
  #responder: Responder = () => answerWith(204);
  #fault: { readonly error: unknown } | undefined;
  /** Why the inbox accepts no more attempts. */
  #closed: CheckSkipped | undefined;
  readonly url: string;
  readonly #waits: InboxWaits;
  #endpoints: ReadonlySet<Inbox> = new Set();
  #evidenceAttempt: { readonly attempt: Attempt; readonly since: number } | undefined;

  constructor(url: string, waits: InboxWaits = {}) {
    this.url = url;
    this.#waits = waits;
  }

  /** Tells the inbox the endpoints of its check, of which it is one. */
  isAmong(endpoints: ReadonlySet<Inbox>): void {
    this.#endpoints = endpoints;
  }

  /** ` at endpoint 2`, the second of the check's endpoints. Empty if the check has only one. */
  get place(): string {
    return this.#endpoints.size > 1 ? ` at endpoint ${[...this.#endpoints].indexOf(this) + 1}` : "";
  }

  /** Records the attempt that a check examines. A later failure of the check shows the attempt. */
  markAsEvidence(attempt: Attempt): void {
    this.#evidenceAttempt = { attempt, since: wallClock() };
  }

  /** The last examined attempt, and the time of its examination as Unix time in milliseconds. */
  get evidence(): { readonly attempt: Attempt; readonly since: number } | undefined {
    return this.#evidenceAttempt;
  }

  /** The statuses of the responses to the attempts. Undefined for an attempt without a response. */
  get statuses(): readonly (number | undefined)[] {
    return this.#reactions.map(statusOf);
  }

  /** Sets how the endpoint responds from now on. */
  respondWith(responder: Responder): void {
    this.#responder = responder;
  }

  /** Called by the receiver for each attempt. Returns the reaction. */
  receive(attempt: Attempt): Reaction {
    const index = this.attempts.length;
    this.attempts.push(attempt);
    for (const waiter of [...this.#waiters]) this.#ask(waiter);
    const reaction = this.#reactionTo(attempt, index);
    this.#reactions[index] = reaction;
    return reaction;
  }

  #ask(waiter: Waiter): void {
    try {
      if (!waiter.condition(this.attempts)) return;
      waiter.resolve();
    } catch (error) {
      waiter.reject(error);
    }
    this.#waiters.delete(waiter);
  }

  #reactionTo(attempt: Attempt, index: number): Reaction {
    try {
      return this.#responder(attempt, index);
    } catch (error) {
      this.#fail(error);
      return answerWith(500);
    }
  }

  /** Passes an error of a check's responder to all waiting calls. */
  #fail(error: unknown): void {
    this.#fault ??= { error };
    for (const { reject } of this.#waiters) reject(error);
    this.#waiters.clear();
  }

  /** @throws the error of a responder, if there was one */
  rethrowFault(): void {
    if (this.#fault) throw this.#fault.error;
  }

  /** Ends all waits with the reason. */
  giveUp(why: string): void {
    this.#closed = new CheckSkipped(why);
    for (const { reject } of this.#waiters) reject(this.#closed);
    this.#waiters.clear();
  }

  /**
   * Waits until the received attempts satisfy the condition.
   * @param what describes the expected event in a failure
   * @param nearMiss describes an attempt that differs slightly from the expected attempt; undefined if there is
   * none
   * @throws CheckSkipped if the inbox accepts no more attempts
   */
  async waitUntil(
    condition: (attempts: readonly Attempt[]) => boolean,
    what: Subject,
    within = ARRIVAL_MS,
    nearMiss: () => WebhookFailure | undefined = () => undefined,
  ): Promise<void> {
    if (await this.arrives(condition, within)) return;
    const expected = this.#arriving(what);
    const closest = nearMiss() ?? this.#unreadable(expected);
    if (closest) throw closest;
    const { actual, attempts } = insteadOf(subjectParts(expected).subject, this.attempts, this.#reactions);
    throw new WebhookFailure(
      {
        ...subjectParts(expected),
        relation: "to arrive",
        expected: `within ${within / 1000} s`,
        actual,
      },
      { attempts, isAmong: condition, kind: "absence" },
    );
  }

  /** The expected event at this endpoint. */
  #arriving(what: Subject): Subject {
    return typeof what === "string"
      ? `${what}${this.place}`
      : { field: what.field, where: `${what.where}${this.place}`.trim() };
  }

  /**
   * The failure for an attempt that isn't JSON, because the attempt may have been the expected event. Undefined
   * if all attempts are JSON.
   */
  #unreadable(expected: Subject): WebhookFailure | undefined {
    const found = this.attempts.find(({ json }) => json === undefined);
    if (found === undefined) return undefined;
    const text = new TextDecoder().decode(found.bytes);
    const actual = text === "" ? "an empty body" : `a body that begins ${text.slice(0, BEGINNING)}`;
    const place = jsonFaultPlace(text);
    return new WebhookFailure(
      {
        ...subjectParts(expected),
        relation: "to arrive",
        actual: described(`${actual} (${text.length} characters), which isn't JSON${place}`),
      },
      { attempts: [found], fault: "webhooks arrive whose bodies aren't JSON" },
    );
  }

  /**
   * True if the attempts satisfy the condition now or within the time limit.
   * @throws CheckSkipped if the inbox accepts no more attempts
   */
  async arrives(condition: (attempts: readonly Attempt[]) => boolean, within = ARRIVAL_MS): Promise<boolean> {
    this.rethrowFault();
    if (condition(this.attempts)) return true;
    if (this.#closed) throw this.#closed;
    const { speedup = 1, isIdle } = this.#waits;
    const waitMs = within / speedup;
    const timers: NodeJS.Timeout[] = [];
    return new Promise<boolean>((resolve, reject) => {
      const waiter = { condition, resolve: () => resolve(true), reject };
      const end = () => {
        this.#waiters.delete(waiter);
        resolve(false);
      };
      this.#waiters.add(waiter);
      timers.push(setTimeout(end, waitMs));
      if (isIdle) {
        const ask = () => isIdle(waitMs).then((idle) => idle && end(), reject);
        timers.push(setInterval(ask, IDLE_POLL_MS));
      }
    }).finally(() => timers.forEach(clearTimeout));
  }

  /** Waits for the first matching attempt. */
  async waitForFirst(
    fits: (attempt: Attempt) => boolean,
    what: Subject,
    within?: number,
    nearly?: () => WebhookFailure | undefined,
  ): Promise<Attempt> {
    await this.waitUntil((attempts) => attempts.some(fits), what, within, nearly);
    const found = this.attempts.find(fits);
    if (!found) throw new Error(`${subjectParts(what).subject} was seen and is gone`);
    this.markAsEvidence(found);
    return found;
  }

  /** Waits for this many matching attempts, and returns all matching attempts. */
  async waitForAtLeast(
    count: number,
    fits: (attempt: Attempt) => boolean,
    what: string,
  ): Promise<readonly Attempt[]> {
    await this.waitUntil((attempts) => attempts.filter(fits).length >= count, `${count} × ${what}`);
    return this.attempts.filter(fits);
  }
}
