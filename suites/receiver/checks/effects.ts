import { CheckFailure, NotTestable } from "../../core/failure.ts";
import type { EffectsContext } from "../check.ts";
import type { AttemptOptions } from "../session/attempt.ts";
import { anEvent, type Delivery, deliveryAt, type Event, eventOf } from "../session/events.ts";
import { accepted } from "./expectations.ts";

/** Sends a genuine event and waits until it took effect. */
export async function takesEffect(
  context: EffectsContext,
  event: Event,
  what = "a genuine event",
): Promise<void> {
  await accepted(context, context.attempt(event), what);
  await tookEffect(context, event, what);
}

/**
 * Sends events at once. Who takes only so many at a time may turn others away (RECV-32 is a SHOULD): these are sent again,
 * one by one, as the service does.
 */
export async function allAccepted(context: EffectsContext, events: readonly Event[]): Promise<void> {
  const replies = await Promise.allSettled(events.map((event) => context.deliver(context.attempt(event))));
  const turnedAway = events.filter((_, i) => {
    const reply = replies[i];
    return reply?.status !== "fulfilled" || reply.value.status < 200 || reply.value.status > 299;
  });
  for (const event of turnedAway)
    await accepted(context, context.attempt(event), "an event that is sent again");
}

/** Sends an event that came before. What is answered to it is another check's concern (RECV-6 is a SHOULD). */
export async function comesAgain(
  context: EffectsContext,
  event: Event,
  options?: AttemptOptions,
): Promise<void> {
  await context.deliver(context.attempt(event, options));
}

/** Waits until an event that was accepted took effect. */
export async function tookEffect(
  context: EffectsContext,
  event: Event,
  what = "a genuine event",
): Promise<void> {
  if ((await context.effects.settled(event.id)) > 0) return;
  throw new CheckFailure(
    `${what} was accepted, and took no effect (in its test set-up a receiver takes deliveries that it doesn't know)`,
    { expected: "processed: 1", actual: "processed: 0" },
  );
}

/**
 * Lets another event take effect: what was sent before it, and has any effect, shows it by then. It also shows that the
 * effects interface tells one event from another.
 */
export async function fence(context: EffectsContext): Promise<void> {
  const event = anEvent();
  if ((await context.effects.processed(event.id)) !== 0) {
    throw new NotTestable("the effects interface tells of an effect of an event that was never sent");
  }
  await takesEffect(context, event, "a later event");
}

/** The event took effect so often: asked once a later one has. */
export async function expectProcessed(
  context: EffectsContext,
  event: Event,
  times: 0 | 1,
  what: string,
): Promise<void> {
  await fence(context);
  const processed = await context.effects.processed(event.id);
  if (processed === times) return;
  throw new CheckFailure(`${what} took effect ${processed} times`, {
    expected: `processed: ${times}`,
    actual: `processed: ${processed}`,
  });
}

/** The receiver holds this version of the delivery: asked once a later event took effect. */
export async function expectHeld(
  context: EffectsContext,
  deliveryId: string,
  version: number | null,
  what: string,
): Promise<void> {
  await fence(context);
  const held =
    version === null
      ? await context.effects.held(deliveryId)
      : await context.effects.holding(deliveryId, version);
  if (held.version === version) return;
  throw new CheckFailure(`${what}, the receiver holds version ${held.version}`, {
    expected: `version: ${version}`,
    actual: `version: ${held.version}`,
  });
}

/** Events about one delivery: each is given its version and kind. */
export function eventsOfOne(
  ...changes: readonly (readonly [kind: string, version: number, changes?: Partial<Delivery>])[]
): readonly [Event, ...Event[]] {
  const { id } = deliveryAt("delivery.created");
  const [first, ...rest] = changes.map(([kind, version, more]) =>
    eventOf(kind, deliveryAt(kind, { id, version, ...more })),
  );
  if (!first) throw new Error("no event is asked for");
  return [first, ...rest];
}
