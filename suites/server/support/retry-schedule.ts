import { expect } from "vitest";
import { TEST_KIND } from "../../core/event-kinds.ts";
import type { BaseContext, ContextFor } from "../check.ts";
import type { Subscription } from "../session/subscribe.ts";
import { type Attempt, isOfKind, webhookId } from "../session/webhook-receiver/attempt.ts";
import type { Inbox, Script } from "../session/webhook-receiver/inbox.ts";
import { answer, type Reaction } from "../session/webhook-receiver/reaction.ts";
import { opened } from "./deliveries.ts";
import { isAbout } from "./delivery-events.ts";

/** Seconds before the second, the third … the eighth attempt (specification, Events: Delivery, retry and closing). */
export const DELAYS = [5, 300, 1800, 7200, 18_000, 36_000, 36_000] as const;

/** What a delay counts from is open, and so is its jitter (OPEN-191): a fifth of it either way, … */
const JITTER = 0.2;
/** … and, as it may count from a failure, the 15 s that an attempt may take and a little more. */
const ATTEMPT_S = 20;

/** Seconds after which the next attempt has certainly been made. */
export const atTheLatest = (delay: number): number => Math.ceil(delay * (1 + JITTER)) + ATTEMPT_S;

/** Seconds that may lie between two attempts; both are whole seconds, rounded in whichever way. */
export const gapBounds = (delay: number): { readonly earliest: number; readonly latest: number } => ({
  earliest: Math.floor(delay * (1 - JITTER)) - 1,
  latest: atTheLatest(delay) + 1,
});

/** Seconds in which nothing can have been sent again yet. */
const tooSoon = (delay: number): number => Math.floor(delay * (1 - 1.25 * JITTER));

/** Seconds after which as many of the delays have certainly passed. */
export const afterAll = (delays: readonly number[]): number =>
  delays.reduce((sum, delay) => sum + atTheLatest(delay), 0);

/** Nearer to each other than any two attempts: one attempt that arrived twice (RETRY-26). */
export const COPY_S = 3;

/** With the clock moved, what was due is there; this allows for the way. */
const SOON_MS = 10_000;

/** webhook-timestamp: Unix seconds of the integrator's clock. */
export const sentAt = (attempt: Attempt): number => Number(attempt.headers["webhook-timestamp"]);

/** What a failing answer looks like where the kind of failure doesn't matter. */
export const FAILURE: Reaction = answer(500);
export const SUCCESS: Reaction = answer(204);
export const failing: Script = () => FAILURE;

const isCopy = (earlier: Attempt, attempt: Attempt) => Math.abs(sentAt(attempt) - sentAt(earlier)) < COPY_S;

function distinct(attempts: readonly Attempt[]): readonly Attempt[] {
  const kept: Attempt[] = [];
  for (const attempt of attempts) {
    if (!kept.some((earlier) => isCopy(earlier, attempt))) kept.push(attempt);
  }
  return kept;
}

/**
 * Reacts to the attempts of each delivery's event in turn as it is said, then with success; to a copy of an attempt as
 * to the first. Test events are fences, and always taken.
 */
export function inTurn(...reactions: readonly Reaction[]): Script {
  const arrived = new Map<string, Attempt[]>();
  return (attempt) => {
    if (isOfKind(TEST_KIND)(attempt)) return SUCCESS;
    const sameEvent = arrived.get(webhookId(attempt)) ?? [];
    arrived.set(webhookId(attempt), [...sameEvent, attempt]);
    return reactions[distinct([...sameEvent, attempt]).length - 1] ?? SUCCESS;
  };
}

type Opener = Pick<BaseContext, "api" | "order" | "now">;
type Sender = Opener & Pick<ContextFor<"receiver">, "subscribe" | "paymentType">;
type Clock = Pick<ContextFor<"clock">, "advance">;

/** The way of one event, a delivery's opening, to one address. */
export class Trail {
  readonly subscription: Subscription;
  readonly deliveryId: string;
  readonly #now: () => number;
  /** Seconds by which the target's clock is ahead of what we take it to be. */
  #ahead = 0;

  constructor(subscription: Subscription, deliveryId: string, now: () => number) {
    this.subscription = subscription;
    this.deliveryId = deliveryId;
    this.#now = now;
  }

  /** Whether an attempt is one of this event's; its webhook-id isn't asked. */
  readonly isOf = (attempt: Attempt): boolean =>
    isAbout({ id: this.deliveryId }, "delivery.created")(attempt);

  /** Its attempts by now, in the order of arrival. */
  get attempts(): readonly Attempt[] {
    return distinct(this.subscription.inbox.attempts.filter(this.isOf));
  }

  /** The first attempt, which comes at once. */
  async first(): Promise<Attempt> {
    const { inbox } = this.subscription;
    const attempt = await inbox.first(this.isOf, `delivery.created of ${this.deliveryId}`);
    this.#ahead = sentAt(attempt) - this.#now() / 1000;
    return attempt;
  }

  /** Lets time pass until it has certainly arrived. */
  async arrives({ advance }: Clock): Promise<void> {
    await advance(ATTEMPT_S);
    await this.attempt(1);
  }

  /** The attempt with this number, counted from 1, which time has made due. */
  async attempt(number: number): Promise<Attempt> {
    const { inbox } = this.subscription;
    const what = `attempt ${number} of delivery.created of ${this.deliveryId}`;
    await inbox.until(() => this.attempts.length >= number, what, SOON_MS);
    const found = this.attempts[number - 1];
    if (!found) throw new Error(`${what} was seen and is gone`);
    return found;
  }

  /** Lets most of the delay after the last attempt pass, and asserts that nothing comes. */
  async isQuiet(clock: Clock, delay: number): Promise<void> {
    const before = this.attempts;
    await this.#passUntil(clock, lastSent(before) + tooSoon(delay));
    expect(this.attempts, `attempts ${tooSoon(delay)} s after number ${before.length}`).toHaveLength(
      before.length,
    );
  }

  /** Lets the delay after the last attempt pass, and asserts that the next comes when it is due. */
  async goesOn(clock: Clock, delay: number): Promise<Attempt> {
    const before = this.attempts;
    await this.#passUntil(clock, lastSent(before) + atTheLatest(delay));
    const next = await this.attempt(before.length + 1);
    const gap = sentAt(next) - lastSent(before);
    const what = `seconds from attempt ${before.length} to ${before.length + 1}, which are ${delay}`;
    const { earliest, latest } = gapBounds(delay);
    expect(gap, what).toBeGreaterThanOrEqual(earliest);
    expect(gap, what).toBeLessThanOrEqual(latest);
    return next;
  }

  /** Lets time pass until the target's clock shows this, in Unix seconds. */
  async #passUntil({ advance }: Clock, second: number): Promise<void> {
    const left = Math.ceil(second - this.#ahead - this.#now() / 1000);
    if (left > 0) await advance(left);
  }
}

const lastSent = (attempts: readonly Attempt[]): number => {
  const last = attempts.at(-1);
  if (!last) throw new Error("there is no attempt to count from");
  return sentAt(last);
};

/** A delivery's opening, as an event on its way to addresses. */
export class Opening {
  readonly #deliveryId: string;
  readonly #now: () => number;

  constructor(deliveryId: string, now: () => number) {
    this.#deliveryId = deliveryId;
    this.#now = now;
  }

  /** Its way to an address, whether it arrives there or not. */
  to(subscription: Subscription): Trail {
    return new Trail(subscription, this.#deliveryId, this.#now);
  }

  /** Waits for the first attempt, which is made at once. */
  async reaches(subscription: Subscription): Promise<Trail> {
    const trail = this.to(subscription);
    await trail.first();
    return trail;
  }
}

export async function opening(context: Opener): Promise<Opening> {
  const { id } = await opened(context);
  return new Opening(id, context.now);
}

/** Subscribes an address that reacts so to openings alone; a new one, or one that was subscribed before. */
export async function subscribed(
  { subscribe, paymentType }: Sender,
  script: Script,
  inbox?: Inbox,
): Promise<Subscription> {
  // Where the run hasn't learned it yet, that takes trial orders, which are no business of this address.
  await paymentType();
  return subscribe({ event_types: ["delivery.created"], script, ...(inbox && { inbox }) });
}

/**
 * Sends one event to new addresses that react so (an integrator has five, LIMIT-14), and waits until each has had the
 * first attempt.
 */
export async function sentToAll(context: Sender, scripts: readonly Script[]): Promise<readonly Trail[]> {
  const subscriptions: Subscription[] = [];
  for (const script of scripts) subscriptions.push(await subscribed(context, script));
  const event = await opening(context);
  return Promise.all(subscriptions.map((subscription) => event.reaches(subscription)));
}

/** The same with one new address. */
export async function sent(context: Sender, script: Script): Promise<Trail> {
  const subscription = await subscribed(context, script);
  return (await opening(context)).reaches(subscription);
}
