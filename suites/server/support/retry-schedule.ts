import { monotonicNow } from "../../core/clock.ts";
import { TEST_KIND } from "../../core/contract/event-kinds.ts";
import { inUnits } from "../../core/durations.ts";
import { NotTestable } from "../../core/grading/failures/failure.ts";
import type { Mismatch } from "../../core/grading/failures/mismatch.ts";
import type { BaseContext, ContextFor } from "../check.ts";
import { toldWithState } from "../session/subscriptions/address-state.ts";
import type { Subscription } from "../session/subscriptions/subscribe.ts";
import { type Attempt, isOfKind, webhookId } from "../session/webhook-receiver/attempt.ts";
import type { Inbox, Responder } from "../session/webhook-receiver/inbox.ts";
import { answerWith, type Reaction } from "../session/webhook-receiver/reaction.ts";
import { WebhookFailure } from "../session/webhook-receiver/webhook-failure.ts";
import { openDelivery } from "./deliveries.ts";
import { isAbout } from "./delivery-events.ts";
import { oldTimestamp, sentAt, withoutDuplicates } from "./webhooks/attempt-times.ts";

/** Seconds before the second, the third … the eighth attempt (specification, Events: Delivery, retry and closing). */
export const RETRY_DELAYS_S = [5, 300, 1800, 7200, 18_000, 36_000, 36_000] as const;

/** Jitter is open (OPEN-191): a fifth of a delay on top. */
const JITTER = 0.2;
/**
 * An attempt must not come before its delay is over. The seconds allow for clocks, rounding, and the start of the
 * delay.
 */
const EARLY_S = 5;
/** A server that polls for pending attempts sends each within this many seconds. */
const SENT_WITHIN_S = 5;
/** An answer that comes later than this is none (specification, Events: Delivery, retry and closing). */
export const PATIENCE_S = 15;
/** The longest time until an attempt has been sent and has timed out. */
const ATTEMPT_S = PATIENCE_S + SENT_WITHIN_S;

/** Seconds after a failure after which the next attempt has certainly been made. */
export const latestAfter = (delay: number): number => Math.ceil(delay * (1 + JITTER)) + SENT_WITHIN_S;

/** How many seconds before the end of a delay an attempt may be dated. */
const earlyFor = (delay: number): number => Math.min(EARLY_S, delay * JITTER);

/** Seconds that may lie between two attempts, of which the first failed at once; both are whole, rounded in whichever way. */
export const gapBounds = (delay: number): { readonly earliest: number; readonly latest: number } => ({
  earliest: Math.floor(delay - earlyFor(delay)) - 1,
  latest: latestAfter(delay) + 1,
});

/** The same if the clock was moved past the end of the delay before, from which a target may count this one. */
export const earliestAfterLeap = (delay: number): number => Math.floor(delay * (1 - JITTER)) - 1;

/** Seconds in which nothing can have been sent again yet. */
const quietFor = (delay: number): number => Math.floor(delay - 1.25 * earlyFor(delay));

/**
 * A step of the clock beyond the end of a delay, in which an attempt on schedule is made. If the clock moved far past
 * the delay, the suite would make the attempt late, and a target may count the next delay from the expected time.
 */
const PUNCTUAL_S = 1;
/** How long such an attempt is waited for until the clock is moved on for one with jitter. */
const PUNCTUAL_MS = 1_000;

/** A time in its largest unit, or in seconds if it would read like the delay that it differs from. */
const apartFrom = (seconds: number, delay: number): string =>
  seconds !== delay && inUnits(seconds) === inUnits(delay) ? `${seconds} seconds` : inUnits(seconds);

/** Seconds after which all of these delays have certainly passed. */
export const latestAfterAll = (delays: readonly number[]): number =>
  delays.reduce((sum, delay) => sum + latestAfter(delay), 0);

/** If an attempt didn't come, wait this many times the delay, to report whether it comes at all. */
const LATER = 2.5;

/**
 * With the clock moved, the expected attempt is there. This allows for the way, and for an attempt that its machine
 * delayed: it counts as silent, and the next comes 15 seconds later.
 */
const SOON_MS = 20_000;

/** The failing answer for checks in which the kind of failure doesn't matter. */
export const FAILURE: Reaction = answerWith(500);
export const SUCCESS: Reaction = answerWith(204);
/** No answer at all. */
export const SILENCE: Reaction = { kind: "silent" };
/**
 * How long a moved clock stands still for a silent attempt at least, in seconds; 3 at a target that doesn't know of the
 * silence (control interface, The clock).
 */
export const SILENCE_WAITS_S = 1;
/** Seconds in which an attempt without an answer is given up for certain. */
export const SILENCE_TAKES_S = PATIENCE_S + 1;
/** Closes the address at once (Events, Delivery, retry and closing). */
export const GONE: Reaction = answerWith(410);
export const alwaysFailing: Responder = () => FAILURE;

/** The extra seconds after which the retry of a silent attempt is there too. */
const HELD_UP_S = ATTEMPT_S;

/** Asserts that an event has been sent exactly this often. */
export function expectAttempts(attempts: readonly Attempt[], due: number, what: string): void {
  if (attempts.length === due) return;
  const { length: actual } = attempts;
  const mismatch: Mismatch = { subject: `attempts of ${what}`, relation: "to be", expected: due, actual };
  throw new WebhookFailure(mismatch, { attempts, kind: "time" });
}

/**
 * Asserts that an event isn't repeated after it was accepted. One surplus attempt shows nothing: an event may arrive
 * more than once (RETRY-26), a copy that is sent after the clock was moved has another time, and a receiver that its
 * machine delayed for three seconds counts as silent. A scheduled repeat comes at least twice more.
 * @param due the number of the accepted attempt
 * @param what the event, in words
 * @throws NotTestable if that attempt never came
 */
export function expectEnded(attempts: readonly Attempt[], due: number, what: string): void {
  if (attempts.length < due)
    throw new NotTestable(
      `${what} was sent ${attempts.length} times, so nothing shows what follows attempt ${due}`,
    );
  if (attempts.length <= due + 1) return;
  throw new WebhookFailure(
    {
      subject: `attempts of ${what}, the last of which was accepted`,
      relation: "to be",
      expected: due,
      actual: attempts.length,
    },
    { attempts, kind: "time" },
  );
}

/**
 * Ensures that time has passed, and that failures are repeated in it. Without repeats, a missing repeat shows nothing.
 * The argument is a positive control: an event that failed in the same time.
 * @throws NotTestable if it wasn't repeated
 */
export function expectPositiveControlRepeated({ attempts }: Pick<AttemptSequence, "attempts">): void {
  if (attempts.length > 1) return;
  throw new NotTestable(
    "an event that failed in the same time wasn't repeated, so nothing shows that another isn't",
  );
}

/**
 * Reacts to the attempts of each delivery's event in turn as given, then with success, and to a copy of an attempt as
 * to the first. Test events are sentinel events, and always accepted.
 */
export function respondInTurn(...reactions: readonly Reaction[]): Responder {
  const arrived = new Map<string, Attempt[]>();
  return (attempt) => {
    if (isOfKind(TEST_KIND)(attempt)) return SUCCESS;
    const sameEvent = arrived.get(webhookId(attempt)) ?? [];
    arrived.set(webhookId(attempt), [...sameEvent, attempt]);
    return reactions[withoutDuplicates([...sameEvent, attempt]).length - 1] ?? SUCCESS;
  };
}

type DeliveryContext = Pick<BaseContext, "api" | "order" | "now">;
type SubscribingContext = DeliveryContext & Pick<ContextFor<"receiver">, "subscribe" | "paymentType">;
type Clock = Pick<ContextFor<"clock">, "advanceClock">;

/** The way of one event, a delivery's opening, to one address. */
export class AttemptSequence {
  readonly subscription: Subscription;
  readonly deliveryId: string;
  readonly #now: () => number;
  /** Seconds by which the target's clock is ahead of what we take it to be. */
  #clockSkewS = 0;

  constructor(subscription: Subscription, deliveryId: string, now: () => number) {
    this.subscription = subscription;
    this.deliveryId = deliveryId;
    this.#now = now;
  }

  /** True if an attempt is one of this event's. Its webhook-id isn't considered. */
  readonly includes = (attempt: Attempt): boolean =>
    isAbout({ id: this.deliveryId }, "delivery.created")(attempt);

  /** Its attempts by now, in the order of arrival. */
  get attempts(): readonly Attempt[] {
    return withoutDuplicates(this.#came);
  }

  /** All of its attempts by now, including copies. */
  get #came(): readonly Attempt[] {
    return this.subscription.inbox.attempts.filter(this.includes);
  }

  /** The failure of an expected attempt that came with the time of another. */
  #withOldTimestamp(number: number, dueBy: number): WebhookFailure | undefined {
    return oldTimestamp(this.#came, number, `delivery.created of ${this.deliveryId}`, dueBy);
  }

  /** Unix seconds on the target's clock. */
  get #targetNow(): number {
    return this.#now() / 1000 + this.#clockSkewS;
  }

  /** The first attempt, which comes at once. */
  async waitForFirst(): Promise<Attempt> {
    const { inbox } = this.subscription;
    const attempt = await toldWithState(this.subscription, () =>
      inbox.waitForFirst(this.includes, `delivery.created of ${this.deliveryId}`),
    );
    this.#clockSkewS = sentAt(attempt) - this.#now() / 1000;
    return attempt;
  }

  /** Lets time pass until it has certainly arrived. */
  async advanceToFirst({ advanceClock }: Clock, address?: string): Promise<void> {
    await advanceClock(ATTEMPT_S);
    await this.waitForAttempt(1, address);
  }

  /**
   * The attempt with this number, counted from 1, once it is expected.
   * @param address the address in words if it is one of several
   * @param reason the explanation if it didn't come
   */
  async waitForAttempt(
    number: number,
    address?: string,
    reason: () => WebhookFailure | undefined = () => undefined,
  ): Promise<Attempt> {
    const { inbox } = this.subscription;
    const what = `attempt ${number} of delivery.created of ${this.deliveryId}${address ? `, to ${address},` : ""}`;
    const dueBy = this.#targetNow;
    const isThere = () => this.attempts.length >= number;
    await toldWithState(this.subscription, () =>
      inbox.waitUntil(isThere, what, SOON_MS, () => reason() ?? this.#withOldTimestamp(number, dueBy)),
    );
    const found = this.attempts[number - 1];
    if (!found) throw new Error(`${what} was seen and is gone`);
    inbox.lookAt(found);
    return found;
  }

  /** Lets most of the delay after the last attempt pass, and asserts that the next attempt isn't early. */
  async expectQuiet(clock: Clock, delay: number): Promise<void> {
    const before = this.attempts;
    await this.#advanceTo(clock, lastSentAt(before) + quietFor(delay));
    const early = this.attempts[before.length];
    if (early) throw this.#offSchedule(before, early, delay);
  }

  /** Lets the delay after the last attempt pass, and asserts that the next attempt comes on time. */
  async expectNext(clock: Clock, delay: number): Promise<Attempt> {
    const before = this.attempts;
    await this.#advanceTo(clock, lastSentAt(before) + delay + PUNCTUAL_S);
    const { inbox } = this.subscription;
    const isPunctual = await inbox.arrives(() => this.attempts.length > before.length, PUNCTUAL_MS);
    const isQuick = isPunctual || (await this.#advanceTo(clock, lastSentAt(before) + latestAfter(delay)));
    const dueBy = this.#targetNow;
    const next = await this.#attemptOnceCome(before.length + 1);
    if (!next) {
      const old = this.#withOldTimestamp(before.length + 1, dueBy);
      if (old) throw old;
      const came = isQuick ? await this.#comesLater(clock, before, delay) : undefined;
      const gap = came && sentAt(came) - lastSentAt(before);
      const later = gap === undefined ? "" : `; the next came after ${inUnits(gap)}`;
      const note = `it had not come ${inUnits(latestAfter(delay))} after it${later}`;
      throw new WebhookFailure(
        { ...nextAttempt(before, delay), note },
        { attempts: this.attempts, kind: "time" },
      );
    }
    const gap = sentAt(next) - lastSentAt(before);
    const { earliest, latest } = gapBounds(delay);
    if (!(gap >= earliest && gap <= latest)) throw this.#offSchedule(before, next, delay);
    this.subscription.inbox.lookAt(next);
    return next;
  }

  /** The failure of an attempt that came at the wrong time. */
  #offSchedule(before: readonly Attempt[], came: Attempt, delay: number): WebhookFailure {
    const gap = sentAt(came) - lastSentAt(before);
    const { earliest, latest } = gapBounds(delay);
    const after = Number.isNaN(gap)
      ? "at no time that its webhook-timestamp tells"
      : `${apartFrom(gap, delay)} after it`;
    const note = `${apartFrom(earliest, delay)} to ${apartFrom(latest, delay)} are allowed`;
    return new WebhookFailure(
      { ...nextAttempt(before, delay), actual: after, note },
      { attempts: [...before, came], kind: "time" },
    );
  }

  async #attemptOnceCome(number: number): Promise<Attempt | undefined> {
    const { inbox } = this.subscription;
    await inbox.arrives(() => this.attempts.length >= number, SOON_MS);
    return this.attempts[number - 1];
  }

  /** The attempt that wasn't there on time, if it comes soon after. */
  async #comesLater(clock: Clock, before: readonly Attempt[], delay: number): Promise<Attempt | undefined> {
    const until = Math.max(LATER * delay, latestAfter(delay) + HELD_UP_S);
    await this.#advanceTo(clock, lastSentAt(before) + until);
    return this.#attemptOnceCome(before.length + 1);
  }

  /**
   * Lets time pass until the target's clock shows this, in Unix seconds.
   * @returns true if that took hardly any real time
   */
  async #advanceTo({ advanceClock }: Clock, second: number): Promise<boolean> {
    const left = Math.ceil(second - this.#clockSkewS - this.#now() / 1000);
    const start = monotonicNow();
    if (left > 0) await advanceClock(left);
    return monotonicNow() - start < (left * 1000) / 2;
  }
}

/** The attempt that is expected after some, and when. */
const nextAttempt = ({ length }: readonly Attempt[], delay: number): Mismatch => ({
  subject: `attempt ${length + 1}`,
  relation: "to arrive",
  expected: `${inUnits(delay)} after attempt ${length}`,
});

const lastSentAt = (attempts: readonly Attempt[]): number => {
  const last = attempts.at(-1);
  if (!last) throw new Error("there is no attempt to count from");
  return sentAt(last);
};

/** A delivery's opening, as an event on its way to addresses. */
class CreationEvent {
  readonly #deliveryId: string;
  readonly #now: () => number;

  constructor(deliveryId: string, now: () => number) {
    this.#deliveryId = deliveryId;
    this.#now = now;
  }

  /** Its attempts at an address, whether they arrive there or not. */
  attemptsTo(subscription: Subscription): AttemptSequence {
    return new AttemptSequence(subscription, this.#deliveryId, this.#now);
  }

  /** Waits for the first attempt, which is made at once. */
  async waitForDelivery(subscription: Subscription): Promise<AttemptSequence> {
    const sequence = this.attemptsTo(subscription);
    await sequence.waitForFirst();
    return sequence;
  }
}

export async function sendCreationEvent(context: DeliveryContext): Promise<CreationEvent> {
  const { id } = await openDelivery(context);
  return new CreationEvent(id, context.now);
}

/** Subscribes an address to openings alone, with this reaction. The address is new, or was subscribed before. */
export async function subscribeToCreations(
  { subscribe, paymentType }: SubscribingContext,
  responder: Responder,
  inbox?: Inbox,
): Promise<Subscription> {
  // If the run doesn't know it yet, this places trial orders, whose events must not reach this address.
  await paymentType();
  return subscribe({ event_types: ["delivery.created"], responder, ...(inbox && { inbox }) });
}

/**
 * Sends one event to new addresses with these reactions (an integrator has five, LIMIT-14), and waits until each has
 * had the first attempt.
 */
export async function sendToAll(
  context: SubscribingContext,
  responders: readonly Responder[],
): Promise<readonly AttemptSequence[]> {
  const subscriptions: Subscription[] = [];
  for (const responder of responders) subscriptions.push(await subscribeToCreations(context, responder));
  const event = await sendCreationEvent(context);
  return Promise.all(subscriptions.map((subscription) => event.waitForDelivery(subscription)));
}

/** The same with one new address. */
export async function sendToOne(context: SubscribingContext, responder: Responder): Promise<AttemptSequence> {
  const subscription = await subscribeToCreations(context, responder);
  return (await sendCreationEvent(context)).waitForDelivery(subscription);
}
