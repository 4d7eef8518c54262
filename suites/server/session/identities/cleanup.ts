import type { CleanupReport, LeftBehind } from "../../../core/cleanup-report.ts";
import { monotonicNow } from "../../../core/clock.ts";
import { forEachConcurrently } from "../../../core/concurrency.ts";
import type { OperationId } from "../../../core/contract/document.ts";
import { NoResponse } from "../../../core/grading/failure.ts";
import { codeOf, isSuccess } from "../../../core/responses.ts";
import type { Answer } from "../answer.ts";
import type { Api } from "../api.ts";
import { MOST_IN_FLIGHT } from "../limits/in-flight.ts";
import { subscriptionsOf } from "../list-entries.ts";
import type { Transport } from "../transport.ts";
import type { Identity } from "./identity.ts";

/** What tidying up takes at the most; what isn't done by then is left, and said. */
const MAX_CLEANUP_MS = 20_000;
const SHOWN_IDS = 5;

type Kind = LeftBehind["kind"];

/** Gathers what stays, by kind and reason. */
class RemainingResources {
  readonly #ids = new Map<string, { readonly kind: Kind; readonly why: string; readonly ids: string[] }>();

  add(kind: Kind, why: string, ...ids: readonly string[]): void {
    if (ids.length === 0) return;
    const key = `${kind} ${why}`;
    const entry = this.#ids.get(key) ?? { kind, why, ids: [] };
    entry.ids.push(...ids);
    this.#ids.set(key, entry);
  }

  get list(): readonly LeftBehind[] {
    return [...this.#ids.values()].map(({ kind, why, ids }) => ({
      kind,
      count: ids.length,
      ids: ids.slice(0, SHOWN_IDS),
      why,
    }));
  }
}

/**
 * Deletes an identity's webhooks that may be there though no answer said so, since a connection was lost: five are active
 * at most, and a check that needs them all would find no place.
 */
export async function deleteUncertainWebhooks(identity: Identity): Promise<void> {
  const { uncertainWebhooks } = identity.created;
  if (uncertainWebhooks.size === 0) return;
  const api = identity.api(() => {});
  const listed = subscriptionsOf(await api.call("listWebhooks", {}, { honourLimits: false }));
  const names = [...uncertainWebhooks];
  for (const { id, url } of listed)
    if (names.some((name) => name === id || name === url)) await undo(api, "webhook", String(id));
  // Not before: where the connection is lost meanwhile, they are still to be deleted.
  for (const name of names) uncertainWebhooks.delete(name);
}

interface CleanupTask {
  readonly identity: Identity;
  readonly kind: "delivery" | "webhook";
  readonly id: string;
}

/** Refusals after which there is nothing left to do. */
const isOver = (answer: Answer<OperationId>): boolean =>
  answer.status === 404 || codeOf(answer.response) === "SON_DURUM";

/** Refusals that all further requests of the identity would meet. */
const ENDS_IDENTITY = [401, 403, 429];

const describeRefusal = (answer: Answer<OperationId>): string => {
  const code = codeOf(answer.response);
  if (code === "KURYE_ALDI") return "the courier has the package (KURYE_ALDI)";
  if (answer.status === 401)
    return "their token works no longer, as checks of tokens and credentials make it";
  return `${answer.exchange.operation} answered ${[answer.status, code].filter(Boolean).join(" ")}`;
};

export interface CleanupOptions {
  /** Sends the requests: the run's own may have been stopped. */
  readonly transport: Transport;
  /** Integrators that the run had made through the control interface and not closed. */
  readonly integrators: readonly string[];
}

/**
 * Deletes the webhooks and cancels the deliveries that a run has left, as far as the API allows and the target's limits
 * leave room: nothing is waited for.
 */
export async function cleanUp(
  identities: readonly Identity[],
  options: CleanupOptions,
): Promise<CleanupReport> {
  const { transport, integrators } = options;
  const left = new RemainingResources();
  const done = { delivery: 0, webhook: 0 };
  const closed = new Map<Identity, string>();
  const renewals = new Map<Identity, Promise<unknown>>();
  const start = monotonicNow();
  // Webhooks first: nobody is to be told of the cancellations.
  const queue: CleanupTask[] = [
    ...identities.flatMap((identity) =>
      [...identity.created.webhooks].map((id): CleanupTask => ({ identity, kind: "webhook", id })),
    ),
    ...identities.flatMap((identity) =>
      [...identity.created.deliveries].map((id): CleanupTask => ({ identity, kind: "delivery", id })),
    ),
  ];

  /** Why nothing more can be done for an identity. */
  const obstacle = (identity: Identity): string | undefined => {
    if (transport.targetLost !== undefined) return transport.targetLost;
    if (monotonicNow() - start > MAX_CLEANUP_MS) {
      return `tidying up ends after ${MAX_CLEANUP_MS / 1000} s`;
    }
    if (closed.has(identity)) return closed.get(identity);
    const mustWait = identity.budget.left <= 0 || identity.address.tokens.left <= 0;
    return mustWait ? "the target's limits would have to be waited for" : undefined;
  };

  /** A new token, once for each identity: a check that was interrupted may have moved its clock. */
  const renewed = (identity: Identity): Promise<unknown> => {
    const anonymous = identity.anonymous(() => {}).with({ transport });
    const renewal = renewals.get(identity) ?? identity.obtainToken(anonymous, { honourLimits: false });
    renewals.set(identity, renewal);
    return renewal;
  };

  const work = async ({ identity, kind, id }: CleanupTask): Promise<void> => {
    const why = obstacle(identity);
    if (why !== undefined) return left.add(kind, why, id);
    try {
      if (!identity.isSignedIn) await renewed(identity);
      const api = identity.api(() => {}).with({ transport });
      let answer = await undo(api, kind, id);
      if (answer.status === 401) {
        await renewed(identity);
        answer = await undo(api, kind, id);
      }
      if (isSuccess(answer)) done[kind] += 1;
      else if (!isOver(answer)) {
        if (ENDS_IDENTITY.includes(answer.status)) closed.set(identity, describeRefusal(answer));
        left.add(kind, describeRefusal(answer), id);
      }
    } catch (error) {
      const unanswered = error instanceof NoResponse;
      const reason =
        transport.targetLost ?? (unanswered ? "no answer came" : "its integrator gets no token any more");
      if (!unanswered) closed.set(identity, reason);
      left.add(kind, reason, id);
    }
  };
  await forEachConcurrently(queue, MOST_IN_FLIGHT, work);
  left.add("store", "the API deletes no stores", ...identities.flatMap(({ created }) => [...created.stores]));
  left.add("integrator", "the control interface deletes no integrators", ...integrators);
  return { cleaned_up: { deliveries: done.delivery, webhooks: done.webhook }, left_behind: left.list };
}

function undo(api: Api, kind: CleanupTask["kind"], id: string): Promise<Answer<OperationId>> {
  const options = { honourLimits: false, keepBudget: false };
  return kind === "webhook"
    ? api.call("deleteWebhook", { path: { id } }, options)
    : api.cancelDelivery(id, undefined, options);
}
