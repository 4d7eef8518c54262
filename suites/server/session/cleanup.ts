import type { LeftBehind, Tidied } from "../../core/cleanup-report.ts";
import { stopwatch } from "../../core/clock.ts";
import { forEachConcurrently } from "../../core/concurrency.ts";
import type { OperationId } from "../../core/document.ts";
import { NoAnswer } from "../../core/failure.ts";
import { codeOf, isSuccess } from "../../core/responses.ts";
import type { Answer } from "./answer.ts";
import type { Api } from "./api.ts";
import type { Lane } from "./identity.ts";
import type { Transport } from "./transport.ts";

/** What tidying up takes at the most; what isn't done by then is left, and said. */
const LONGEST_TIDYING_MS = 20_000;
const AT_ONCE = 8;
const SHOWN_IDS = 5;

type Kind = LeftBehind["kind"];

/** Gathers what stays, by kind and reason. */
class Leftovers {
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

interface Work {
  readonly lane: Lane;
  readonly kind: "delivery" | "webhook";
  readonly id: string;
}

/** Refusals after which there is nothing left to do. */
const isOver = (answer: Answer<OperationId>): boolean =>
  answer.status === 404 || codeOf(answer.response) === "SON_DURUM";

/** Refusals that all further requests of the identity would meet. */
const ENDS_THE_LANE = [401, 403, 429];

const inWords = (answer: Answer<OperationId>): string => {
  const code = codeOf(answer.response);
  if (code === "KURYE_ALDI") return "the courier has the package (KURYE_ALDI)";
  if (answer.status === 401)
    return "their token works no longer, as checks of tokens and credentials make it";
  return `${answer.exchange.operation} answered ${[answer.status, code].filter(Boolean).join(" ")}`;
};

export interface TidyOptions {
  /** Sends the requests: the run's own may have been stopped. */
  readonly transport: Transport;
  /** Integrators that the run had made through the control interface and not closed. */
  readonly integrators: readonly string[];
}

/**
 * Deletes the webhooks and cancels the deliveries that a run has left, as far as the API allows and the target's limits
 * leave room: nothing is waited for.
 */
export async function tidyUp(lanes: readonly Lane[], options: TidyOptions): Promise<Tidied> {
  const { transport, integrators } = options;
  const left = new Leftovers();
  const done = { delivery: 0, webhook: 0 };
  const closed = new Map<Lane, string>();
  const renewals = new Map<Lane, Promise<unknown>>();
  const start = stopwatch();
  // Webhooks first: nobody is to be told of the cancellations.
  const queue: Work[] = [
    ...lanes.flatMap((lane) => [...lane.made.webhooks].map((id): Work => ({ lane, kind: "webhook", id }))),
    ...lanes.flatMap((lane) => [...lane.made.deliveries].map((id): Work => ({ lane, kind: "delivery", id }))),
  ];

  /** Why nothing more can be done for an identity. */
  const obstacle = (lane: Lane): string | undefined => {
    if (transport.gone !== undefined) return transport.gone;
    if (stopwatch() - start > LONGEST_TIDYING_MS) {
      return `tidying up ends after ${LONGEST_TIDYING_MS / 1000} s`;
    }
    if (closed.has(lane)) return closed.get(lane);
    const mustWait = lane.budget.left <= 0 || lane.address.tokens.left <= 0;
    return mustWait ? "the target's limits would have to be waited for" : undefined;
  };

  /** A new token, once for each identity: a check that was interrupted may have moved its clock. */
  const renewed = (lane: Lane): Promise<unknown> => {
    const anonymous = lane.anonymous(() => {}).with({ transport });
    const renewal = renewals.get(lane) ?? lane.obtainToken(anonymous, { honourLimits: false });
    renewals.set(lane, renewal);
    return renewal;
  };

  const work = async ({ lane, kind, id }: Work): Promise<void> => {
    const why = obstacle(lane);
    if (why !== undefined) return left.add(kind, why, id);
    try {
      if (!lane.isSignedIn) await renewed(lane);
      const api = lane.api(() => {}).with({ transport });
      let answer = await undo(api, kind, id);
      if (answer.status === 401) {
        await renewed(lane);
        answer = await undo(api, kind, id);
      }
      if (isSuccess(answer)) done[kind] += 1;
      else if (!isOver(answer)) {
        if (ENDS_THE_LANE.includes(answer.status)) closed.set(lane, inWords(answer));
        left.add(kind, inWords(answer), id);
      }
    } catch (error) {
      const unanswered = error instanceof NoAnswer;
      const reason =
        transport.gone ?? (unanswered ? "no answer came" : "its integrator gets no token any more");
      if (!unanswered) closed.set(lane, reason);
      left.add(kind, reason, id);
    }
  };
  await forEachConcurrently(queue, AT_ONCE, work);
  left.add("store", "the API deletes no stores", ...lanes.flatMap(({ made }) => [...made.stores]));
  left.add("integrator", "the control interface deletes no integrators", ...integrators);
  return { cleaned_up: { deliveries: done.delivery, webhooks: done.webhook }, left_behind: left.list };
}

function undo(api: Api, kind: Work["kind"], id: string): Promise<Answer<OperationId>> {
  const options = { honourLimits: false, keepBudget: false };
  return kind === "webhook"
    ? api.call("deleteWebhook", { path: { id } }, options)
    : api.cancelDelivery(id, "Uyum denemesi bitti", options);
}
