import type { OperationId } from "../core/contract/document.ts";
import { curlCommand, type Exchange } from "../core/exchange.ts";
import type { Outcome } from "../core/grading/outcome.ts";
import { outcomesOf, type RunSummary } from "../engine/events.ts";
import { type RunOptions, run } from "../engine/run.ts";
import type { CheckRun, OpenTarget, RunStart, RunTarget } from "../engine/target.ts";
import { type AnyCheck, type Check, isActive, isPassive, type PassiveCheck } from "./check.ts";
import { PassiveObserver } from "./passive-observer.ts";
import { lacksForAnotherRun, runOnce } from "./run-check.ts";
import { Blocking } from "./schedule/blocking.ts";
import { orderOf } from "./schedule/check-order.ts";
import { exceedsTokenLimit } from "./schedule/schedule.ts";
import type { TargetSettings } from "./session/sample-data/settings.ts";
import { Session, type SessionOptions } from "./session/session.ts";

export interface ServerRunOptions
  extends Pick<SessionOptions, "isInProcess" | "keepsLimits" | "wire" | "redact"> {
  /** True to start the webhook receiver even if no check needs it. */
  readonly receiver?: boolean;
  /** False to leave the run's objects on the target. Otherwise they are cancelled and deleted at the end. */
  readonly cleanUp?: boolean;
  /** Called with every exchange of the run. */
  readonly observe?: (exchange: Exchange) => void;
  /** A check that isn't reported, and provides exchanges for the passive checks. */
  readonly traffic?: Check;
  /** True if no check blocks another. */
  readonly eachAlone?: boolean;
  /** Called before each active check, including the traffic. */
  readonly onBegin?: (check: Check) => void;
}

/** The number of pending requests shown for a lost target. */
const MAX_LAST_REQUESTS = 3;

const INTERRUPTED = "the run was interrupted";

const WAITS_FOR_TOKENS =
  "the target sees one IP address, which may request 30 tokens a minute: the run may wait a minute or two for tokens";

export const serverTarget = (
  settings: TargetSettings,
  options: ServerRunOptions = {},
): RunTarget<AnyCheck> => ({ open: (start) => openServer(settings, options, start) });

export async function openServer(
  settings: TargetSettings,
  options: ServerRunOptions,
  { checks, seed, notice }: Omit<RunStart<AnyCheck>, "signal">,
): Promise<OpenTarget<AnyCheck>> {
  const activeChecks = checks.filter(isActive);
  const passive = checks.filter(isPassive);
  const observer = new PassiveObserver(passive);
  const { cleanUp = false, eachAlone = false, traffic, onBegin = () => {} } = options;
  const sessionOptions: SessionOptions = {
    ...options,
    notice,
    observe: (exchange) => {
      observer.observe(exchange);
      options.observe?.(exchange);
    },
    receiver: options.receiver ?? activeChecks.some(({ needs }) => needs.includes("receiver")),
    seed,
    cleansUp: cleanUp,
  };
  const session = await Session.open(settings, sessionOptions);
  const laterSessions = new LaterSessions(session, () =>
    Session.open(settings, { ...sessionOptions, receiver: false }),
  );
  if (session.isLimitedByTokens && exceedsTokenLimit(activeChecks)) notice(WAITS_FOR_TOKENS);
  const blocking = eachAlone ? undefined : new Blocking(session, activeChecks);
  const senders = new Senders();
  const runActive = async (check: Check, isConfirmation = false) => {
    onBegin(check);
    const observe = (exchange: Exchange) => senders.note(exchange, check);
    const on = isConfirmation ? await laterSessions.for(check) : session;
    return runOnce(check, on, seed, { isConfirmation, observe });
  };
  const judge = async (check: PassiveCheck, isConfirmation: boolean): Promise<CheckRun> => {
    const before = observer.timesOf(check);
    if (isConfirmation) {
      for (const sender of senders.of(observer.faultyExchanges(check))) await runActive(sender, true);
      if (!hasIncreased(before, observer.timesOf(check))) return { outcome: NOT_REPEATED };
    }
    const outcome = observer.outcome(check, session.redact, blocking);
    const { outages, targetLost } = session.transport;
    if (
      outcome.status === "failed" &&
      check.isDoubtfulAfterOutage &&
      (outages > 0 || targetLost !== undefined)
    )
      return { outcome: afterOutage(targetLost) };
    return { outcome, seenAt: check.clauses, isCertain: [...before.values()].some((times) => times > 1) };
  };
  const reasonAgainstAnotherRun = (check: AnyCheck): string | undefined => {
    if (isActive(check)) {
      return laterSessions.isPossibleFor(check) ? undefined : lacksForAnotherRun(check, session);
    }
    const sent = senders.of(observer.faultyExchanges(check));
    return sent.length === 0
      ? "no check sent such a request"
      : sent.map((sender) => lacksForAnotherRun(sender, session)).find((why) => why !== undefined);
  };
  return {
    order: { ...orderOf(activeChecks), passive },
    redact: session.redact,
    runOnce: async (check, { run }) =>
      isActive(check) ? runActive(check, run === "confirmation") : judge(check, run === "confirmation"),
    lacksForAnotherRun: reasonAgainstAnotherRun,
    ...(blocking && {
      blocksOthers: (check, { outcome }) => isActive(check) && blocking.blocksOthers(check, outcome),
      outcomeAmongOthers: async (check, { outcome }, endOf) =>
        isActive(check) ? blocking.outcomeOf(check, outcome, endOf) : outcome,
    }),
    activeChecksEnded: async () => {
      // The last request of the last check may have stopped the target.
      await session.isTargetUp();
      if (traffic && passive.length > 0) await runActive(traffic);
    },
    corrections: () => {
      blocking?.revokeAbsences();
      return session.corrections;
    },
    reopened: () => session.reopened,
    stop: () => session.transport.stop(INTERRUPTED),
    ...(cleanUp && { cleanUp: (ending) => session.cleanUp(ending) }),
    summary: () => summaryOf(session),
    close: () => laterSessions.close(),
  };
}

/**
 * Sessions on a target that lost its data in a restart. Checks whose request may have caused the restart run
 * again on the restarted target with new integrators.
 */
class LaterSessions {
  readonly #first: Session;
  readonly #sessions: Session[];
  private readonly open: () => Promise<Session>;

  constructor(first: Session, open: () => Promise<Session>) {
    this.#first = first;
    this.#sessions = [first];
    this.open = open;
  }

  isPossibleFor({ id, needs }: Check): boolean {
    const { transport, control, suspects } = this.#first;
    const canCreateIntegrators = transport.hasLostData && control?.offers("createIntegrator") === true;
    return canCreateIntegrators && suspects.has(id) && !needs.includes("receiver");
  }

  async for(check: Check): Promise<Session> {
    const last = this.#sessions.at(-1) ?? this.#first;
    if (!this.isPossibleFor(check) || !last.transport.hasLostData) return last;
    const next = await this.open();
    this.#sessions.push(next);
    return next;
  }

  async close(): Promise<void> {
    for (const session of this.#sessions) await session.close();
  }
}

/** Records which check sent each exchange, so that checks with a fault can run again. */
class Senders {
  readonly #checks = new WeakMap<Exchange, Check>();

  note(exchange: Exchange, check: Check): void {
    this.#checks.set(exchange, check);
  }

  of(exchanges: readonly Exchange[]): readonly Check[] {
    return [...new Set(exchanges.flatMap((exchange) => this.#checks.get(exchange) ?? []))];
  }
}

/** The outcome of a passive check if the fault didn't recur when the checks ran again. */
const NOT_REPEATED: Outcome = { status: "passed", duration_ms: 0, requests: 0 };

const afterOutage = (targetLost: string | undefined): Outcome => ({
  status: "not_verified",
  message: targetLost ?? "the target was unavailable during the run, and may have lost its data",
  duration_ms: 0,
  requests: 0,
});

type Times = ReadonlyMap<OperationId, number>;

/** True if a fault at an operation has recurred. */
const hasIncreased = (before: Times, after: Times): boolean =>
  [...before].some(([operation, times]) => (after.get(operation) ?? 0) > times);

function summaryOf({
  transport,
  repeated,
  outages,
  redact,
  requests,
}: Session): Omit<RunSummary, "cleanup" | "abandoned"> {
  const { targetLost, lastRequests } = transport;
  return {
    requests,
    ...(repeated.counts.length > 0 && { repeated: repeated.counts }),
    ...(outages.length > 0 && { outages }),
    ...(targetLost !== undefined && {
      targetLost: redact.text(targetLost),
      lastRequests: lastRequests.slice(0, MAX_LAST_REQUESTS).map((sent) => curlCommand(sent, redact)),
    }),
  };
}

/** Runs checks on a service in order. Returns their outcomes by id. */
export const runOnTarget = (
  settings: TargetSettings,
  checks: readonly AnyCheck[],
  options: ServerRunOptions & RunOptions,
): Promise<ReadonlyMap<string, Outcome>> => outcomesOf(run(checks, serverTarget(settings, options), options));
