import { clause } from "../../../openapi/generated/clauses.ts";
import type { EventKind } from "../../core/contract/event-kinds.ts";
import { expectThat } from "../../core/grading/expectations/expect.ts";
import { attributeFailures } from "../../core/grading/failures/attributed-to.ts";
import { CheckFailure, CheckSkipped } from "../../core/grading/failures/failure.ts";
import type { Mismatch } from "../../core/grading/failures/mismatch.ts";
import { isSuccess } from "../../core/responses.ts";
import type { EffectsContext, ResponsesContext } from "../check.ts";
import type { AttemptOptions } from "../session/attempt.ts";
import { BlockingFailure } from "../session/blocking-failure.ts";
import type { StoredDeliveryReport } from "../session/effects.ts";
import {
  type Delivery,
  deliveryAt,
  type Event,
  eventLike,
  identityOf,
  sampleEvent,
} from "../session/events.ts";
import type { Reply } from "../session/http-client.ts";
import { PairFailure } from "../session/pair-failure.ts";
import type { SentEvent } from "../session/sent-events.ts";
import { expectAccepted } from "./expectations.ts";

export async function deliverAndExpectEffect(
  context: EffectsContext,
  event: Event,
  what = "a genuine event",
): Promise<void> {
  await expectAccepted(context, context.attempt(event), what);
  await expectEffect(context, event, what);
}

/**
 * Sends events concurrently. Repeats refused events one by one, as the service does, because a receiver may
 * limit concurrent requests (RECV-32 is a SHOULD).
 */
export async function deliverAll(context: EffectsContext, events: readonly Event[]): Promise<void> {
  const results = await context.burst(events.length, () =>
    Promise.allSettled(events.map((event) => context.deliver(context.attempt(event)))),
  );
  const rejected = events.filter((_, i) => {
    const result = results[i];
    return result?.status !== "fulfilled" || !isSuccess(result.value);
  });
  for (const event of rejected)
    await expectAccepted(context, context.attempt(event), "an event that is sent again");
}

/**
 * Sends an event again. Any response is accepted here, because another check judges the responses to repeated
 * events (RECV-6 is a SHOULD).
 */
export async function redeliver(
  context: EffectsContext,
  event: Event,
  options?: AttemptOptions,
): Promise<void> {
  await context.deliver(context.attempt(event, options));
}

/** The event and the previous event about the same delivery, if the receiver accepted both from this check. */
function pairWithEarlier(
  context: EffectsContext,
  { id, data }: Event,
): readonly [SentEvent, SentEvent] | undefined {
  const sent = data ? context.sentAbout(data.id) : [];
  const index = sent.findIndex((event) => event.id === id);
  const [earlier, own] = [sent[index - 1], sent[index]];
  return earlier && own && [earlier, own];
}

/**
 * The failure of an event without an effect. If no event had an effect in this run, the failure blocks every
 * check of effects.
 */
function noEffect(context: EffectsContext, event: Event, what: string): CheckFailure {
  const { effects } = context;
  const mismatch: Mismatch = {
    subject: `effects of ${what}, which was accepted,`,
    relation: "to be at least",
    expected: 1,
    actual: 0,
    note: effects.sawAny
      ? "other events took effect: has the receiver stopped processing, or compared versions of different deliveries?"
      : "in a test environment the receiver must accept events about unknown deliveries",
  };
  const pair = pairWithEarlier(context, event);
  if (pair && effects.sawAny) return new PairFailure(mismatch, "dropped", pair);
  return effects.sawAny ? new CheckFailure(mismatch) : new BlockingFailure("effects", mismatch);
}

/**
 * Waits for the effect of an accepted event. If a later event has an effect first, the event counts as lost.
 */
export async function expectEffect(
  context: EffectsContext,
  event: Event,
  what = "a genuine event",
): Promise<void> {
  const { id } = event;
  if ((await context.effects.waitUntilProcessed(id, "shortLimit")) > 0) return;
  await deliverSentinelEvent(context);
  if ((await context.effects.waitUntilProcessed(id, "shortLimit")) === 0)
    throw noEffect(context, event, what);
}

/**
 * Waits for the effect of an event whose processing failed once. A worker may process other events in the
 * meantime.
 * @param reply the response to the failed attempt; without a 2xx the caller has sent the event again
 */
export async function expectEffectEventually(
  context: EffectsContext,
  { id }: Event,
  what: string,
  reply: Reply,
): Promise<void> {
  if ((await context.effects.waitUntilProcessed(id, "configuredLimit")) > 0) return;
  const seconds = context.effects.timeoutMs / 1000;
  throw new CheckFailure({
    subject: `effects of ${what} within ${seconds} s`,
    relation: "to be at least",
    expected: 1,
    actual: 0,
    note: `${
      isSuccess(reply)
        ? "the service doesn't repeat an event that got a 2xx: respond after processing, or let a worker retry"
        : "the receiver records the webhook-id before it processes the event: record it afterwards, or in one transaction with the effect"
    }; if a worker waits longer, raise --effect-within`,
  });
}

/** The maximum number of events to send until the effects interface shows a failure of processing. */
const MAX_TRIALS = 3;

/**
 * Sends an event whose processing fails once. A status other than 2xx proves the failure. After a 2xx, the
 * missing effect or the effects interface's failure counter proves it.
 * @throws CheckSkipped if nothing proves the failure, because a lost event would be invisible too
 */
export async function deliverFailingOnce(
  context: EffectsContext,
  options: AttemptOptions,
): Promise<{ event: Event; reply: Reply }> {
  for (let i = 0; i < MAX_TRIALS; i += 1) {
    // Waits until the receiver has processed queued events, so that the next event is the one that fails.
    await deliverSentinelEvent(context);
    const event = sampleEvent(context);
    await context.effects.failNext();
    const reply = await context.deliver(context.attempt(event, options));
    if (!isSuccess(reply)) return { event, reply };
    const { processed, failed = 0 } = await context.effects.eventStatus(event.id);
    if (processed === 0 || failed > 0) return { event, reply };
  }
  throw new CheckSkipped(
    'after POST /fail-next, each event got a 2xx and took effect at once: let the worker wait before it tries again, or let GET /events/{webhook-id} return "failed": 1 in addition to "processed"',
  );
}

/**
 * Sends a sentinel event and waits for its effect. By then, all earlier events have had their effects. The
 * sentinel also proves that the effects interface distinguishes events.
 */
export async function deliverSentinelEvent(context: EffectsContext): Promise<void> {
  const event = sampleEvent(context);
  if ((await context.effects.processedCount(event.id)) !== 0) {
    throw new CheckSkipped("the effects interface reports an effect of an event that was never sent");
  }
  await expectAccepted(context, context.attempt(event), "the sentinel event");
  if ((await context.effects.waitUntilProcessed(event.id, "configuredLimit")) === 0)
    throw noEffect(context, event, "the sentinel event");
}

/** Asserts the number of effects of an event, after waiting for the effect of a sentinel event. */
export async function expectProcessed(
  context: EffectsContext,
  event: Event,
  times: 0 | 1,
  what: string,
): Promise<void> {
  await deliverSentinelEvent(context);
  await expectCounted(context, event, times, what);
}

/** The clauses that a second effect of an event violates. */
export const DUPLICATE_CLAUSES = [clause["RECV-3"], clause["RECV-4"], clause["RECV-5"]];

/** Asserts the number of effects of an event, if a later event has already had its effect. */
export async function expectCounted(
  context: EffectsContext,
  event: Event,
  times: 0 | 1,
  what: string,
): Promise<void> {
  const processed = await context.effects.processedCount(event.id);
  const expectation = () => expectThat(`effects of ${what}`, processed).is(times);
  if (processed > 1) attributeFailures(DUPLICATE_CLAUSES, expectation);
  else expectation();
}

/**
 * Asserts that the receiver stores this version of the delivery, after waiting for the effect of a sentinel
 * event.
 */
export async function expectStored(
  context: EffectsContext,
  deliveryId: string,
  version: number | null,
  what: string,
): Promise<void> {
  await deliverSentinelEvent(context);
  const held =
    version === null
      ? await context.effects.storedDelivery(deliveryId)
      : await context.effects.waitForVersion(deliveryId, version);
  explainByPair(context, { deliveryId, held, version }, () =>
    expectThat(`the stored version ${what}`, held.version).is(version),
  );
}

/** What the receiver stores of a delivery, and the version that it should store. */
interface StoredVersion {
  readonly deliveryId: string;
  readonly held: StoredDeliveryReport;
  readonly version: number | null | undefined;
}

/**
 * Runs an assertion on the stored delivery. If two events explain a failure, the failure names the two events.
 */
export function explainByPair(
  context: Pick<EffectsContext, "sentAbout">,
  stored: StoredVersion,
  expectation: () => void,
): void {
  try {
    expectation();
  } catch (error) {
    throw (error instanceof CheckFailure && pairFailure(context, stored, error)) || error;
  }
}

/** A failure that names two events, if the receiver stores the wrong one of the two. */
function pairFailure(
  { sentAbout }: Pick<EffectsContext, "sentAbout">,
  { deliveryId, held, version }: StoredVersion,
  { mismatch }: CheckFailure,
): PairFailure | undefined {
  const sent = sentAbout(deliveryId);
  const [kept, expected] = [held.version, version].map((one) => sent.find((event) => event.version === one));
  if (!kept || !expected || kept.version > expected.version) return undefined;
  return sent.indexOf(kept) < sent.indexOf(expected)
    ? new PairFailure(mismatch, "dropped", [kept, expected])
    : new PairFailure(mismatch, "overwrites", [expected, kept]);
}

/** Creates events about one delivery, one for each change. The type defaults to a subscribed type. */
export function eventsOfOneDelivery(
  context: ResponsesContext,
  ...changes: readonly (readonly [kind: EventKind, version: number, changes?: Partial<Delivery>])[]
): readonly [Event, ...Event[]] {
  const lasting = identityOf(deliveryAt("delivery.created"));
  const [first, ...rest] = changes.map(([kind, version, more]) =>
    eventLike(context, kind, { ...lasting, version, ...more }),
  );
  if (!first) throw new Error("no event was requested");
  return [first, ...rest];
}
