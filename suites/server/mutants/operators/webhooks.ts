import type { Dependencies } from "../../../../reference-server/dependencies.ts";
import type { Dispatch, OutboxKey } from "../../../../reference-server/records/outbox.ts";
import type { EventKind } from "../../../core/contract/event-kinds.ts";
import { COURIER_ACTIONS } from "../../../core/control.ts";

const SECOND_MS = 1000;

type Webhooks = Dependencies["limits"]["webhooks"];
type Outbox = Dependencies["records"]["outbox"];
type WebhookRecords = Dependencies["records"]["webhooks"];

export const alterWebhookLimits =
  (change: (right: Webhooks) => Partial<Webhooks>) =>
  (deps: Dependencies): Dependencies => {
    const { webhooks } = deps.limits;
    return { ...deps, limits: { ...deps.limits, webhooks: { ...webhooks, ...change(webhooks) } } };
  };

/** Replaces the delays between an event's attempts, in seconds. */
export const alterRetryDelays = (change: (right: readonly number[]) => readonly number[]) =>
  alterWebhookLimits(({ delaysMs: [first = 0, ...rest] }) => {
    const seconds = change(rest.map((delay) => delay / SECOND_MS));
    return { delaysMs: [first, ...seconds.map((delay) => delay * SECOND_MS)] };
  });

export const alterRetryPolicy =
  (change: (right: Dependencies["retryPolicy"]) => Partial<Dependencies["retryPolicy"]>) =>
  (deps: Dependencies): Dependencies => ({
    ...deps,
    retryPolicy: { ...deps.retryPolicy, ...change(deps.retryPolicy) },
  });

export const alterAttemptRequests =
  (change: (right: Dependencies["attemptRequests"]) => Partial<Dependencies["attemptRequests"]>) =>
  (deps: Dependencies): Dependencies => ({
    ...deps,
    attemptRequests: { ...deps.attemptRequests, ...change(deps.attemptRequests) },
  });

export const alterOutbox =
  (change: (right: Outbox) => Partial<Outbox>) =>
  (deps: Dependencies): Dependencies => {
    const { outbox } = deps.records;
    return { ...deps, records: { ...deps.records, outbox: { ...outbox, ...change(outbox) } } };
  };

export const alterWebhookRecords =
  (change: (right: WebhookRecords) => Partial<WebhookRecords>) =>
  (deps: Dependencies): Dependencies => {
    const { webhooks } = deps.records;
    return { ...deps, records: { ...deps.records, webhooks: { ...webhooks, ...change(webhooks) } } };
  };

type Post = Dependencies["transport"]["post"];

/** Sends attempts differently. `change` gets the original function. */
export const alterPost =
  (change: (right: Post) => Post) =>
  (deps: Dependencies): Dependencies => ({
    ...deps,
    transport: { ...deps.transport, post: change(deps.transport.post) },
  });

/** Sends attempts to a different form of the registered URL. */
export const alterAddresses = (other: (url: string) => string) =>
  alterPost(
    (post) => (all, outgoing, signal) => post(all, { ...outgoing, url: other(outgoing.url) }, signal),
  );

type Settled = Parameters<Outbox["settle"]>[2];

export const alterSettlement = (other: (settled: Settled) => Partial<Settled>) =>
  alterOutbox(({ settle }) => ({
    settle: (db, sending, settled) => settle(db, sending, { ...settled, ...other(settled) }),
  }));

export const giveUpAfter = (isFinal: (outcome: string) => boolean) =>
  alterSettlement(({ state, outcome }) =>
    state === "PENDING" && isFinal(outcome ?? "") ? { state: "FAILED" } : {},
  );

/** Remembers the first value for an event and endpoint, and returns this value for later attempts. */
export function rememberFirst<T>(): (sending: OutboxKey, value: T) => T {
  const known = new Map<string, T>();
  return ({ event_id, webhook_id }, value) => {
    const key = `${event_id} ${webhook_id}`;
    const first = known.get(key) ?? value;
    known.set(key, first);
    return first;
  };
}

/** Signs events of one kind with the subscription's first secret. */
export const keepFirstSecretFor =
  (kind: EventKind) =>
  (deps: Dependencies): Dependencies => {
    const secrets = new Map<string, string>();
    return alterAttemptRequests(({ headers }) => ({
      headers(all, dispatch, secret, now) {
        const first = secrets.get(dispatch.webhook_id) ?? secret;
        secrets.set(dispatch.webhook_id, first);
        return headers(all, dispatch, dispatch.type === kind ? first : secret, now);
      },
    }))(deps);
  };

const isCourierAction = (kind: EventKind): boolean =>
  COURIER_ACTIONS.some((action) => kind === `delivery.${action}`);

/** Sends some events also to the integrator's endpoints of this status. By default, these are the events of courier actions. */
export const alsoSendTo =
  (status: "CLOSED" | "DELETED", isSent = isCourierAction) =>
  (deps: Dependencies): Dependencies => ({
    ...deps,
    async emit(current, tx, delivery, kind) {
      const { records } = current;
      const active: WebhookRecords["active"] = async (_, integratorId) => {
        const rows = await tx
          .selectFrom("webhooks")
          .select(["id", "event_types"])
          .where("integrator_id", "=", integratorId)
          .where("status", "=", status)
          .execute();
        const others = rows.map(({ id, event_types }) => ({ id, event_types: JSON.parse(event_types) }));
        return [...(await records.webhooks.active(tx, integratorId)), ...others];
      };
      const webhooks = isSent(kind) ? { ...records.webhooks, active } : records.webhooks;
      await deps.emit({ ...current, records: { ...records, webhooks } }, tx, delivery, kind);
    },
  });

export const alterAttemptHeaders = (
  change: (right: Record<string, string>, dispatch: Dispatch) => Record<string, string>,
) =>
  alterAttemptRequests(({ headers }) => ({
    headers: (deps, dispatch, secret, now) => ({
      ...headers(deps, dispatch, secret, now),
      ...change(headers(deps, dispatch, secret, now), dispatch),
    }),
  }));

/** Changes the time of first attempts, by the event's type and the original time in milliseconds. */
export const alterFirstDue =
  (change: (kind: string | undefined, dueAt: number) => number) =>
  (deps: Dependencies): Dependencies => {
    const kinds = new Map<string, string>();
    const { events, outbox } = deps.records;
    return {
      ...deps,
      records: {
        ...deps.records,
        events: {
          ...events,
          insert: (tx, row) => {
            kinds.set(row.id, row.type);
            return events.insert(tx, row);
          },
        },
        outbox: {
          ...outbox,
          insert: (tx, sending, dueAt) =>
            outbox.insert(tx, sending, change(kinds.get(sending.event_id), dueAt)),
        },
      },
    };
  };
