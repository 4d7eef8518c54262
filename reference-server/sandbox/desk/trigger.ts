/**
 * Has events sent because somebody wants to see them: of a delivery that is played for the purpose, in their order or
 * not, once or several times, one after the other or at once. Each is in the outbox like any other, so it is signed and
 * retried as the specification says; copies are sent beside it, with the same identifier, and aren't retried.
 */
import { integratorOf } from "../../control/integrators.ts";
import { recordEvent } from "../../dispatcher/emit.ts";
import { faultOf, tooLate } from "../../dispatcher/outcome.ts";
import type { EventKind } from "../../domain/model.ts";
import { rejected } from "../../errors.ts";
import type { AttemptOutcome, Parts, PrivateContext, WebhookResponse } from "../../parts.ts";
import type { OutboxKey } from "../../records/outbox.ts";
import { playTo } from "./playing.ts";

export interface Trigger {
  readonly type: EventKind;
  /** Whose; the first integrator's where nobody is named. */
  readonly client_id?: string;
  /** Deliveries that are played; 1 by default. */
  readonly deliveries?: number;
  /** How often each event arrives; 1 by default. */
  readonly copies?: number;
  /** Whether the event is sent without those that lead to it. */
  readonly alone?: boolean;
  /** Whether the last event is sent first. */
  readonly reversed?: boolean;
  /** Whether all is sent at the same time. */
  readonly at_once?: boolean;
}

/** An event on its way to an address. */
export interface TriggeredEvent {
  readonly id: string;
  readonly type: string;
  readonly external_ref: string | null;
  readonly url: string;
}

/** From one event to the next, where they aren't sent at once. */
const gapMs = 200;

/** Gives what is sent, in the order in which it is. */
export async function trigger(parts: Parts, wish: Trigger): Promise<TriggeredEvent[]> {
  const { type, deliveries = 1, copies = 1, alone = false, reversed = false, at_once = false } = wish;
  const clientId = wish.client_id ?? parts.sandbox?.firstClientId;
  if (clientId === undefined) throw rejected("client_id", "zorunlu: bu sunucunun ilk entegratörü yok");
  const integrator = await integratorOf(parts, clientId);
  const held: OutboxKey[] = [];
  const staged = staging(parts, held, (kind) => !alone || kind === type);
  const now = parts.clock.of(integrator, parts.clock.now());
  const context: PrivateContext = { parts: staged, address: "", integrator, tokenHash: "", now };
  for (let count = 0; count < deliveries; count++) {
    if (type === "webhook.test") await test(context);
    else await playTo({ ...context, now: parts.clock.of(integrator, parts.clock.now()) }, type);
  }
  const ordered = reversed ? held.toReversed() : held;
  const gap = at_once ? 0 : gapMs;
  const begin = parts.clock.of(integrator, parts.clock.now());
  await parts.transaction(parts, async (tx) => {
    for (const [index, key] of ordered.entries()) {
      await parts.records.outbox.insert(tx, key, begin + index * copies * gap);
    }
  });
  for (const { webhook_id } of ordered)
    parts.dispatcher.wake(parts, { webhook_id, integrator_id: integrator.id });
  for (const [index, key] of ordered.entries()) {
    for (let copy = 1; copy < copies; copy++) {
      const send = () => void sendCopy(parts, key).catch(parts.reportFault);
      setTimeout(send, (index * copies + copy) * gap).unref();
    }
  }
  return Promise.all(ordered.map((key) => triggered(parts, key)));
}

/** Parts by which events are kept, and held back from their addresses until all has happened. */
function staging(parts: Parts, held: OutboxKey[], isWanted: (kind: EventKind) => boolean): Parts {
  const { eventRules, records } = parts;
  return {
    ...parts,
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

/** A trial for each address, as the service's own operation makes it. */
async function test({ parts, integrator, now }: PrivateContext): Promise<void> {
  await parts.transaction(parts, async (tx) => {
    await parts.records.changeSequence.takeNext(tx, integrator.id, now);
    for (const { id } of await parts.records.webhooks.active(tx, integrator.id)) {
      const about = { integrator_id: integrator.id, delivery_id: null, version: null, data: null };
      await recordEvent(parts, tx, { ...about, kind: "webhook.test", at: now, webhookIds: [id] });
    }
  });
}

async function triggered(parts: Parts, key: OutboxKey): Promise<TriggeredEvent> {
  const { event_id: id, type, url, body } = await parts.records.outbox.dispatch(parts.database, key);
  const { data }: { data: { external_ref: string } | null } = JSON.parse(body);
  return { id, type, external_ref: data?.external_ref ?? null, url };
}

/** One attempt beside those of the outbox; nothing follows from how it ends. */
async function sendCopy(parts: Parts, key: OutboxKey): Promise<void> {
  const dispatch = await parts.records.outbox.dispatch(parts.database, key);
  const startedAt = parts.clock.of(dispatch, parts.clock.now());
  const request = parts.attemptRequests.request(parts, dispatch, startedAt);
  const signal = AbortSignal.timeout(parts.limits.webhooks.answerMs);
  let answer: WebhookResponse | undefined;
  let outcome: AttemptOutcome;
  try {
    answer = await parts.transport.post(parts, request, signal);
    outcome = { status: answer.status };
  } catch (error) {
    outcome = signal.aborted ? tooLate : faultOf(error);
  }
  // Leased by nobody: whoever shows it knows by that that it is a copy.
  await parts.attemptLog.keep(parts, {
    dispatch: { ...dispatch, leased_by: null },
    request,
    startedAt,
    outcome,
    answer,
  });
}
