/**
 * Sends events on demand. Simulates a delivery, and sends the delivery's events in order or reversed, once or several
 * times, one after the other or in parallel. The outbox signs and retries these events like any event. Copies have
 * the same id, bypass the outbox, and aren't retried.
 */
import { setTimeout } from "node:timers/promises";
import { integratorOf } from "../../reference-server/control/integrators.ts";
import type {
  AttemptOutcome,
  AuthenticatedContext,
  Dependencies,
  WebhookResponse,
} from "../../reference-server/dependencies.ts";
import { recordEvent } from "../../reference-server/dispatcher/emit.ts";
import { faultOf, tooLate } from "../../reference-server/dispatcher/outcome.ts";
import type { EventKind } from "../../reference-server/domain/model.ts";
import { rejected } from "../../reference-server/errors.ts";
import type { Endpoint, OutboxKey } from "../../reference-server/records/outbox.ts";
import type { Sandbox } from "../state.ts";
import { clientIdOf } from "./client-id.ts";
import type { OwnFields } from "./own-fields.ts";
import { playTo } from "./playing.ts";

export interface Trigger extends OwnFields {
  readonly type: EventKind;
  /** The delivery's order number, or the id of an existing delivery. */
  readonly order?: string;
  /** The integrator's client id. Defaults to the first integrator's. */
  readonly client_id?: string;
  /** The number of deliveries to simulate. Defaults to 1. */
  readonly deliveries?: number;
  /** How often each event is sent. Defaults to 1. */
  readonly copies?: number;
  /** True to send the event without its predecessors. */
  readonly single?: boolean;
  /** True to send the last event first. */
  readonly reversed?: boolean;
  /** True to send all events at the same time. */
  readonly parallel?: boolean;
}

/** An event that is sent to an endpoint. */
export interface TriggeredEvent {
  readonly id: string;
  readonly type: string;
  readonly external_ref: string | null;
  readonly url: string;
}

/** The interval at which to check whether the previous event's attempt has ended. */
const lookEveryMs = 20;

/** Returns the events in the order in which they are sent. Aborting `signal` drops the remaining events. */
export async function trigger(
  deps: Dependencies,
  sandbox: Sandbox,
  options: Trigger,
  signal: AbortSignal,
): Promise<TriggeredEvent[]> {
  const { type, deliveries = 1, copies = 1, single = false, reversed = false, parallel = false } = options;
  const { order, data, set } = options;
  const played = { ...(order && { order }), ...(data && { data }), ...(set && { set }) };
  if (type === "webhook.test" && Object.keys(played).length > 0) {
    throw rejected("type", "webhook.test hiçbir teslimatla ilgili değildir");
  }
  if (order !== undefined && deliveries > 1) throw rejected("deliveries", "order ile yalnızca 1 olabilir");
  const integrator = await integratorOf(deps, clientIdOf(sandbox, options.client_id));
  const held: OutboxKey[] = [];
  const staged = staging(deps, held, (kind) => !single || kind === type);
  const now = deps.clock.timeOf(integrator, deps.clock.now());
  const context: AuthenticatedContext = { deps: staged, address: "", integrator, tokenHash: "", now };
  for (let count = 0; count < deliveries; count++) {
    if (type === "webhook.test") await test(context);
    else {
      const present = { ...context, now: deps.clock.timeOf(integrator, deps.clock.now()) };
      await playTo(present, sandbox, { kind: type, ...played });
    }
  }
  const ordered = reversed ? held.toReversed() : held;
  const begin = deps.clock.timeOf(integrator, deps.clock.now());
  // The due time of an event is at the latest the timeout of the previous event. Due times survive a restart.
  const turnMs = parallel ? 0 : copies * deps.limits.webhooks.answerMs;
  const queues = Map.groupBy(ordered, ({ webhook_id }) => webhook_id);
  await deps.transaction(async (tx) => {
    for (const queue of queues.values()) {
      for (const [turn, key] of queue.entries()) {
        await deps.records.outbox.insert(tx, key, begin + turn * turnMs);
      }
    }
  });
  for (const [webhook_id, queue] of queues) {
    const endpoint = { webhook_id, integrator_id: integrator.id };
    const sent = parallel
      ? sendInParallel(deps, endpoint, queue, copies)
      : sendInTurn(deps, endpoint, queue, { copies, begin, signal });
    sent.catch(deps.reportFault);
  }
  return Promise.all(ordered.map((key) => triggered(deps, key)));
}

/** Dependencies that store events, but collect their outbox rows in `held` instead of sending them. */
function staging(
  deps: Dependencies,
  held: OutboxKey[],
  isWanted: (kind: EventKind) => boolean,
): Dependencies {
  const { eventRules, records } = deps;
  return {
    ...deps,
    eventRules: {
      ...eventRules,
      wants: (kinds, kind) => isWanted(kind) && eventRules.wants(kinds, kind),
    },
    records: {
      ...records,
      outbox: {
        ...records.outbox,
        insert: async (_tx, key) => void held.push(key),
      },
    },
  };
}

/** Sends a test event to each endpoint by the service's operation. */
async function test({ deps, integrator, now }: AuthenticatedContext): Promise<void> {
  await deps.transaction(async (tx) => {
    await deps.records.changeSequence.takeNext(tx, integrator.id, now);
    for (const { id } of await deps.records.webhooks.active(tx, integrator.id)) {
      const about = { integrator_id: integrator.id, delivery_id: null, version: null, data: null };
      await recordEvent(deps, tx, { ...about, kind: "webhook.test", at: now, webhookIds: [id] });
    }
  });
}

async function sendInParallel(
  deps: Dependencies,
  endpoint: Endpoint,
  queue: readonly OutboxKey[],
  copies: number,
): Promise<void> {
  deps.dispatcher.wake(endpoint);
  const beside = queue.flatMap((key) => Array.from({ length: copies - 1 }, () => sendCopy(deps, key)));
  await Promise.all(beside);
}

/**
 * Sends each event after the first attempt of the previous event has ended. Due times alone could change the order
 * on a slow machine.
 */
async function sendInTurn(
  deps: Dependencies,
  endpoint: Endpoint,
  queue: readonly OutboxKey[],
  { copies, begin, signal }: { copies: number; begin: number; signal: AbortSignal },
): Promise<void> {
  const { outboxTurns } = deps.records;
  for (const key of queue) {
    await outboxTurns.hasten(deps.database, key, begin);
    deps.dispatcher.wake(endpoint);
    while (await outboxTurns.isUntried(deps.database, key)) {
      if (!(await waitedOut(lookEveryMs, signal))) return;
    }
    for (let copy = 1; copy < copies && !signal.aborted; copy++) await sendCopy(deps, key);
    if (signal.aborted) return;
  }
}

/** Waits. Returns true if `signal` wasn't aborted. */
async function waitedOut(ms: number, signal: AbortSignal): Promise<boolean> {
  await setTimeout(ms, undefined, { ref: false, signal }).catch(() => undefined);
  return !signal.aborted;
}

async function triggered(deps: Dependencies, key: OutboxKey): Promise<TriggeredEvent> {
  const { event_id: id, type, url, body } = await deps.records.outbox.dispatch(deps.database, key);
  const { data }: { data: { external_ref: string } | null } = JSON.parse(body);
  return { id, type, external_ref: data?.external_ref ?? null, url };
}

/** Sends one attempt outside the outbox. The attempt's outcome has no effect. */
async function sendCopy(deps: Dependencies, key: OutboxKey): Promise<void> {
  const dispatch = await deps.records.outbox.dispatch(deps.database, key);
  const startedAt = deps.clock.timeOf(dispatch, deps.clock.now());
  const request = deps.attemptRequests.request(deps, dispatch, startedAt);
  const signal = AbortSignal.timeout(deps.limits.webhooks.answerMs);
  let answer: WebhookResponse | undefined;
  let outcome: AttemptOutcome;
  try {
    answer = await deps.transport.post(deps, request, signal);
    outcome = { status: answer.status };
  } catch (error) {
    outcome = signal.aborted ? tooLate : faultOf(error);
  }
  // An attempt without a lease is shown as a copy.
  await deps.attemptLog.keep(deps, {
    dispatch: { ...dispatch, leased_by: null },
    request,
    startedAt,
    outcome,
    answer,
  });
}
