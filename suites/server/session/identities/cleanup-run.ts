import { monotonicNow, pause } from "../../../core/clock.ts";
import { forEachConcurrently } from "../../../core/concurrency.ts";
import { operationById } from "../../../core/contract/document.ts";
import type { OperationRecord } from "../http/operation-record.ts";
import type { Transport } from "../http/transport.ts";
import { MAX_IN_FLIGHT } from "../limits/in-flight.ts";
import type { Identity } from "./identity.ts";
import {
  type Attempt,
  attemptOf,
  attemptWithout,
  laterOf,
  type Postponement,
  type RemovableKind,
  undo,
} from "./inverse-operations.ts";
import type { RemainingResources } from "./remaining-resources.ts";

const INVERSE_OPERATIONS = { delivery: "cancelDelivery", webhook: "deleteWebhook" } as const;

const notImplemented = (kind: RemovableKind): string => {
  const { method, path } = operationById(INVERSE_OPERATIONS[kind]);
  return `${method} ${path} isn't implemented`;
};

/** The time limits in milliseconds of the cleanup, and of a single wait in it. */
export interface CleanupTimeouts {
  readonly withinMs: number;
  readonly longestWaitMs: number;
}

export interface CleanupDependencies {
  /** The transport of the cleanup's requests. The run's own transport may have been stopped. */
  readonly transport: Transport;
  readonly operations: Pick<OperationRecord, "isServed">;
  readonly timeouts: CleanupTimeouts;
  readonly notice: (text: string) => void;
  /** Ends the cleanup. The objects that still exist remain. */
  readonly stopped?: AbortSignal | undefined;
}

export interface CleanupTask {
  readonly identity: Identity;
  readonly kind: RemovableKind;
  readonly id: string;
}

interface PostponedTask {
  readonly task: CleanupTask;
  readonly until: Postponement;
}

/** The minimum milliseconds between rounds. They grow while no attempt succeeds. */
const SHORTEST_WAITS_MS = [0, 1_000, 2_000, 4_000] as const;
const SHORTEST_LATER_MS = 8_000;
/** A wait of at least this many milliseconds is reported. */
const LONG_WAIT_MS = 5_000;

const INTERRUPTED = "cleaning up was interrupted";
const NO_TOKEN = "its integrator gets no token any more";

/** Removes a run's objects in rounds. Waits between rounds for rate limits or for the end of a short outage. */
export class CleanupRun {
  readonly undone = { delivery: 0, webhook: 0 };
  /** Integrators whose objects can't be removed any more, each with the reason. */
  readonly #closed = new Map<Identity, string>();
  readonly #renewals = new Map<Identity, Promise<Attempt | undefined>>();
  /** Integrators and token budgets that aren't used until the next round. */
  readonly #paused = new Map<object, Postponement>();
  /** The tasks that were repeated after a lost connection or a 502, 503 or 504. */
  readonly #repeated = new Set<CleanupTask>();
  readonly #notFound: CleanupTask[] = [];
  readonly #deadline: number;
  readonly #left: RemainingResources;
  readonly #deps: CleanupDependencies;
  #hasWaited = false;

  constructor(left: RemainingResources, deps: CleanupDependencies) {
    this.#left = left;
    this.#deps = deps;
    this.#deadline = monotonicNow() + deps.timeouts.withinMs;
  }

  async cleanUp(tasks: readonly CleanupTask[]): Promise<void> {
    let remaining = tasks;
    for (let futileRounds = 0; remaining.length > 0; ) {
      const postponed = await this.#round(remaining);
      futileRounds = postponed.length < remaining.length ? 0 : futileRounds + 1;
      remaining = await this.#waitFor(postponed, SHORTEST_WAITS_MS[futileRounds] ?? SHORTEST_LATER_MS);
    }
    // A 404 means that the object or the operation is missing. If the target has served the operation before,
    // the object is missing.
    for (const { kind, id } of this.#notFound)
      if (!this.#deps.operations.isServed(INVERSE_OPERATIONS[kind]))
        this.#left.add(kind, notImplemented(kind), id);
  }

  /**
   * Tries each task once.
   * @returns tasks that may succeed later
   */
  async #round(tasks: readonly CleanupTask[]): Promise<readonly PostponedTask[]> {
    this.#paused.clear();
    const postponed: PostponedTask[] = [];
    await forEachConcurrently(tasks, MAX_IN_FLIGHT, async (task) => {
      const attempt = this.#obstacle(task) ?? (await this.#attempt(task));
      if (attempt.is === "later" && this.#isTriedAgain(task, attempt))
        postponed.push({ task, until: attempt });
      else this.#settle(task, attempt);
    });
    return postponed;
  }

  #isTriedAgain(task: CleanupTask, { isLimit }: Postponement): boolean {
    if (isLimit) return true;
    if (this.#repeated.has(task)) return false;
    this.#repeated.add(task);
    return true;
  }

  /** @returns the tasks to try now; all other tasks are given up */
  async #waitFor(postponed: readonly PostponedTask[], shortestMs: number): Promise<readonly CleanupTask[]> {
    const { timeouts, stopped } = this.#deps;
    const longest = Math.min(timeouts.longestWaitMs, this.#deadline - monotonicNow());
    const waits = ({ until }: PostponedTask) => Math.max(until.waitMs, shortestMs);
    const waiting = postponed.filter((one) => waits(one) <= longest);
    for (const one of postponed) if (!waiting.includes(one)) this.#leave(one.task, one.until.why);
    const [last] = waiting.toSorted((one, other) => waits(other) - waits(one));
    if (last === undefined) return [];
    this.#notify(waits(last), last.until.waits);
    await pause(waits(last), stopped).catch(() => {});
    return waiting.map(({ task }) => task);
  }

  #notify(milliseconds: number, what: string): void {
    if (this.#hasWaited && milliseconds < LONG_WAIT_MS) return;
    this.#hasWaited = true;
    this.#deps.notice(
      `cleaning up: waiting ${Math.ceil(milliseconds / 1000)} s ${what} (Ctrl-C skips the rest)`,
    );
  }

  #leave({ kind, id }: CleanupTask, why: string): void {
    this.#left.add(kind, why, id);
  }

  #settle(task: CleanupTask, attempt: Attempt): void {
    // An earlier attempt that got no response may have removed the object.
    const isDoneBefore = attempt.is === "over" && this.#repeated.has(task);
    if (attempt.is === "undone" || isDoneBefore) this.undone[task.kind] += 1;
    else if (attempt.is === "not found") this.#notFound.push(task);
    else if (attempt.is !== "over") this.#leave(task, attempt.why);
  }

  /** The reason why the task can't run now; undefined if it can. */
  #obstacle({ identity }: CleanupTask): Attempt | undefined {
    const { transport, timeouts, stopped } = this.#deps;
    const why =
      transport.targetLost ??
      (stopped?.aborted === true ? INTERRUPTED : undefined) ??
      (monotonicNow() > this.#deadline
        ? `cleaning up ends after ${timeouts.withinMs / 1000} s`
        : undefined) ??
      this.#closed.get(identity);
    if (why !== undefined) return { is: "left", why, endsIdentity: false };
    const needsToken = identity.usesTokenEndpoint && identity.validToken === undefined;
    return this.#paused.get(identity) ?? (needsToken ? this.#paused.get(identity.address.tokens) : undefined);
  }

  async #attempt(task: CleanupTask): Promise<Attempt> {
    const { identity } = task;
    const attempt = await this.#undo(task).catch(attemptWithout);
    const { targetLost } = this.#deps.transport;
    if (targetLost !== undefined && (attempt.is === "left" || attempt.is === "later"))
      return { is: "left", why: targetLost, endsIdentity: true };
    if (attempt.is === "left" && attempt.endsIdentity) this.#closed.set(identity, attempt.why);
    if (attempt.is === "later" && attempt.isLimit) this.#paused.set(identity, attempt);
    return attempt;
  }

  async #undo({ identity, kind, id }: CleanupTask): Promise<Attempt> {
    const api = identity.api(() => {}).with({ transport: this.#deps.transport });
    if (identity.validToken === undefined) {
      const refused = await this.#renew(identity);
      if (refused) return refused;
    }
    const response = await undo(api, kind, id, identity.validToken);
    if (response.status !== 401) return attemptOf(response);
    return (await this.#renew(identity)) ?? attemptOf(await undo(api, kind, id, identity.validToken));
  }

  /**
   * Obtains a new token, once per integrator, because an interrupted check may have moved the integrator's
   * clock.
   */
  #renew(identity: Identity): Promise<Attempt | undefined> {
    const renewal = this.#renewals.get(identity) ?? this.#obtainToken(identity);
    this.#renewals.set(identity, renewal);
    return renewal;
  }

  /** @returns why there is no token; undefined if the integrator got one */
  async #obtainToken(identity: Identity): Promise<Attempt | undefined> {
    if (!identity.usesTokenEndpoint) {
      identity.discardToken();
      return identity.token().then(() => undefined, attemptWithout);
    }
    const anonymous = identity.anonymous(() => {}).with({ transport: this.#deps.transport });
    const { tokens } = identity.address;
    const options = { honourLimits: false, keepBudget: false };
    const attempt = await identity.obtainToken(anonymous, options).then(laterOf, attemptWithout);
    if (attempt?.is === "later") {
      this.#renewals.delete(identity);
      this.#paused.set(attempt.isLimit ? tokens : identity, attempt);
      return attempt;
    }
    if (identity.validToken !== undefined && attempt === undefined) return undefined;
    return { is: "left", why: NO_TOKEN, endsIdentity: true };
  }
}
