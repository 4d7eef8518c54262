import type { ClauseId } from "../../openapi/generated/clauses.ts";
import { monotonicNow } from "../core/clock.ts";
import type { RunResult } from "../core/confirmation/confirm.ts";
import type { Disturbance, DisturbanceKind } from "../core/confirmation/disturbance.ts";
import { CoverageRecord } from "../core/contract/set-coverage.ts";
import { LostControlAnswer } from "../core/control.ts";
import { type Exchange, reportExchange } from "../core/exchange.ts";
import { CheckRecord } from "../core/grading/check-record.ts";
import { ClauseProgress } from "../core/grading/clauses/clause-findings.ts";
import { Counterexample } from "../core/grading/expectations/property.ts";
import { attributedTo } from "../core/grading/failures/attributed-to.ts";
import {
  type Evidence,
  type Explanation,
  explainFailure,
  machineEnd,
} from "../core/grading/failures/explain-failure.ts";
import {
  CheckFailure,
  CheckSkipped,
  NoResponse,
  OperationGivenUp,
  SetUpFailure,
} from "../core/grading/failures/failure.ts";
import type { Outcome, TimelineTrack } from "../core/grading/outcome.ts";
import { reasonText } from "../core/grading/skip-reasons.ts";
import { openFilesExhausted } from "../core/machine-error.ts";
import type { Redactor } from "../core/text/redact.ts";
import { FAILED_WIRE_BOUNDS, WIRE_BOUNDS, WireLog } from "../core/wire.ts";
import { examine } from "../engine/confirmation.ts";
import type { Check } from "./check.ts";
import type { Recorder } from "./context/dependencies.ts";
import { openContext } from "./context/open-context.ts";
import { exchangeEvidence } from "./evidence/exchange-evidence.ts";
import { originHint } from "./evidence/origin-hint.ts";
import { refusalHint } from "./evidence/refusal-hint.ts";
import { faultBehind, schemaFailure } from "./evidence/schema-failure.ts";
import { CheckTrace } from "./evidence/trace.ts";
import { isSamePoll } from "./evidence/transcript.ts";
import {
  lastPollSnapshot,
  NO_WEBHOOKS,
  type PollSnapshot,
  webhookEvidence,
  webhookExchanges,
} from "./evidence/webhook-evidence.ts";
import { missingPrerequisite } from "./schedule/prerequisites.ts";
import { RequestDisturbances } from "./session/http/request-disturbances.ts";
import type { Identity } from "./session/identities/identity.ts";
import { EventuallyConsistentLists, LIST_LAG_MS } from "./session/lists/list-readings.ts";
import { drawing } from "./session/sample-data/drawn.ts";
import type { Session } from "./session/session.ts";
import { refusalDespiteFreeSlot } from "./session/subscriptions/free-slots.ts";
import { TargetEnd } from "./session/target-end.ts";
import type { Inbox } from "./session/webhook-receiver/inbox.ts";
import { WebhookFailure } from "./session/webhook-receiver/webhook-failure.ts";
import { lostAttemptAmong } from "./support/webhooks/attempt-times.ts";

/** The maximum number of a check's exchanges that are kept. */
const MAX_KEPT_EXCHANGES = 30;
/** The number of a failed check's last exchanges whose bodies are kept longer. */
const MAX_LONG_BODIES = 30;

interface RunCheckOptions {
  /** True if the check ran before and failed. */
  readonly isConfirmation?: boolean;
  readonly observe?: (exchange: Exchange) => void;
}

/** Runs a single check, with confirmation. Never throws. */
export const runCheck = (check: Check, session: Session, seed: number): Promise<Outcome> =>
  examine<Check, RunResult>(
    {
      runOnce: (one, { run }) => runOnce(one, session, seed, { isConfirmation: run === "confirmation" }),
      lacksForAnotherRun: (one) => lacksForAnotherRun(one, session),
    },
    check,
  );

/** The reason why a check can't run again, or undefined. */
export function lacksForAnotherRun({ needs, virtualSeconds }: Check, session: Session): string | undefined {
  if (session.transport.targetLost !== undefined) return session.transport.targetLost;
  const missing = needs
    .map((need) => missingPrerequisite(session, need, virtualSeconds))
    .find((why) => why !== undefined);
  if (missing !== undefined) return typeof missing === "string" ? missing : reasonText(missing);
  // In real time, --max-wait must allow two runs.
  const isPatient = session.canAdvanceClock || 2 * virtualSeconds * 1000 <= session.settings.maxWaitMs;
  return virtualSeconds === 0 || isPatient ? undefined : "not enough of --max-wait is left";
}

/** Runs one check once. Never throws. */
export async function runOnce(
  check: Check,
  session: Session,
  seed: number,
  { isConfirmation = false, observe = () => {} }: RunCheckOptions = {},
): Promise<RunResult> {
  const waitsForLists = isConfirmation && session.waitForLists.has(check.id);
  const lists = new EventuallyConsistentLists(
    waitsForLists ? Math.min(LIST_LAG_MS, session.settings.eventualTimeoutMs ?? LIST_LAG_MS) : 0,
  );
  const { redact, transport } = session;
  const record = new CheckRecord<Exchange>(redact, MAX_KEPT_EXCHANGES, isSamePoll);
  const trace = new CheckTrace();
  const progress = new ClauseProgress(check.clauses);
  const sets = new CoverageRecord();
  let integrators: readonly Identity[] = [];
  const inboxes = new Set<Inbox>();
  const snapshots = new WeakMap<Error, PollSnapshot>();
  const wire = session.keepsWire ? new WireLog<Exchange>() : undefined;
  const explained = (error: unknown) =>
    explainEnd(error, {
      check,
      session,
      trace,
      integrators,
      inboxes: [...inboxes],
      pollSnapshot:
        (error instanceof Error ? snapshots.get(originalFailure(error)) : undefined) ??
        lastPollSnapshot(inboxes),
      ...record.failedAt(error instanceof Error ? originalFailure(error) : error),
    });
  const continueAfter = (failure: Error) => {
    record.continueAfter(failure);
    const pollSnapshot = lastPollSnapshot(inboxes);
    if (pollSnapshot) snapshots.set(failure, pollSnapshot);
  };
  const requests = new RequestDisturbances();
  let outagesBefore = transport.outages;
  let began = monotonicNow();
  const noticed: Disturbance[] = [];
  const targetEnd = new TargetEnd();
  let isOver = false;
  let isGivenUp = false;
  let seenAt: readonly ClauseId[] = [];
  let tracks: () => readonly TimelineTrack[] = () => [];
  const ended = (found: Explanation): RunResult => {
    isOver = true;
    const stopped = targetEnd.failure;
    const { expectedData, ...end } = stopped ? explained(stopped) : found;
    for (const line of requests.account) record.account(line);
    const timeline = tracks();
    const { coverage } = sets;
    const clause_findings = end.status === "failed" ? progress.findings : undefined;
    const disturbances = [
      ...targetEnd.disturbances,
      ...disturbancesOf({ requests, inboxes, session, began, outagesBefore }),
      ...noticed,
    ];
    // Disturbances of its own requests already excuse the failure.
    const isExcused = requests.all.length > 0 || transport.outages !== outagesBefore;
    if (!waitsForLists && end.status === "failed" && !isExcused && lists.mayHaveLagged) {
      session.waitForLists.add(check.id);
      disturbances.push(
        momentary("eventual-consistency", `a list may show a change up to ${LIST_LAG_MS / 1000} s late`),
      );
    }
    return {
      disturbances,
      seenAt,
      ...(expectedData !== undefined && { expectedData }),
      ...(isGivenUp && { givenUp: end.operation }),
      outcome: record.outcome({
        ...end,
        ...(clause_findings && { clause_findings }),
        ...(coverage.length > 0 && { coverage }),
        ...(timeline.length > 0 && { timeline }),
        ...(wire && wireOf(wire, inboxes, redact, end.status === "failed")),
      }),
    };
  };
  const targetLost = () =>
    ended({ status: "not_verified", message: redact.text(transport.targetLost ?? "") });
  if (transport.targetLost !== undefined) return targetLost();
  if (transport.machineError !== undefined)
    return ended({ status: "not_verified", message: transport.machineError.message });
  const missingNeed = check.needs
    .map((need) => missingPrerequisite(session, need, check.virtualSeconds))
    .find((why) => why !== undefined);
  const receiverFailure = check.needs.includes("receiver") ? session.reachability?.failure : undefined;
  if (receiverFailure?.exchange && !session.operations.isServed(receiverFailure.exchange.operation)) {
    return ended(explained(receiverFailure));
  }
  if (missingNeed !== undefined) return ended(explained(new CheckSkipped(missingNeed)));
  const recorder: Recorder = {
    exchange: (exchange) => {
      if (exchange.stoppedTarget) {
        targetEnd.observe(exchange);
        session.suspects.add(check.id);
      }
      if (exchange.stoppedTarget === "after its answer") {
        if (isOver) session.reopened.set(check.id, ended({ status: "passed" }));
        return;
      }
      observe(exchange);
      requests.observe(exchange);
      lists.observe(exchange);
      trace.add({ exchange, at: exchange.startedAt });
      record.addExchange(exchange);
      wire?.add(exchange);
      // Throws, because further requests might stop the target again.
      const stopped = isOver ? undefined : targetEnd.failure;
      if (stopped) throw stopped;
    },
    inbox: (inbox) => {
      inboxes.add(inbox);
      inbox.isAmong(inboxes);
    },
    trace,
    tries: {
      begin: () => trace.begin(),
      fail: (error) => {
        trace.fail();
        if (error instanceof Error) continueAfter(error);
      },
    },
    lists,
    note: record.account,
    reached: (set, element) => sets.add(set, [element]),
    beginCase: (group) => progress.beginCase(group),
    endCases: (group) => progress.endCases(group),
    failed: (error) => {
      const seen = attributedTo(error, check.clauses);
      progress.fail(seen.length > 0 ? seen : undefined);
      lists.noteFailure();
      continueAfter(error);
    },
    attributeTo: (...clauses) => progress.at(clauses),
    recordCoverage: (...covered) => sets.add(...covered),
    timeline: (read) => {
      tracks = read;
    },
    disturbed: (kind, what) => void noticed.push(momentary(kind, what)),
  };
  try {
    const open = await openContext(check, session, seed, recorder, isConfirmation);
    // An outage before the check got its integrator doesn't count.
    outagesBefore = transport.outages;
    began = monotonicNow();
    record.begin();
    integrators = open.integrators;
    try {
      await drawing(session.seeds.next(check.id, seed, integrators), async () => {
        await check.run(open.context);
        await open.confirm();
      });
      for (const inbox of inboxes) inbox.rethrowFault();
    } finally {
      await open.close();
    }
    await session.secretsArrived();
    if (isConfirmation) await session.noticeLateOutage();
    return ended({ status: "passed" });
  } catch (error) {
    await session.secretsArrived();
    if (error instanceof NoResponse) requests.endedBy(error.exchange);
    if (error instanceof LostControlAnswer) requests.endedByControl();
    if (error instanceof NoResponse) targetEnd.observe(error.exchange);
    const stopped = targetEnd.failure;
    isGivenUp = error instanceof OperationGivenUp;
    seenAt = attributedTo(stopped ?? error, check.clauses);
    progress.fail(seenAt);
    const end = explained(error);
    if (stopped) return ended(end);
    const isUp = end.status === "not_verified" || (await session.isTargetUp(began));
    const machine = transport.machineError ?? openFilesExhausted();
    if (machine !== undefined) {
      transport.noteMachineError(machine);
      return ended(machineEnd(machine));
    }
    if (isUp) return ended(end);
    // If the target stopped or lost its data, a missing event or a refused token isn't a finding.
    return targetLost();
  }
}

interface DisturbedRun {
  readonly requests: RequestDisturbances;
  readonly inboxes: ReadonlySet<Inbox>;
  readonly session: Session;
  readonly began: number;
  /** The number of earlier outages. */
  readonly outagesBefore: number;
}

/** The disturbances of a run of a check. */
function disturbancesOf({ requests, inboxes, session, began, outagesBefore }: DisturbedRun): Disturbance[] {
  const { transport, disturbances } = session;
  const now = monotonicNow();
  const isRestarted = transport.outages !== outagesBefore && transport.targetLost === undefined;
  const lostAttempts = [...inboxes].flatMap(({ attempts }) => lostAttemptAmong(attempts) ?? []);
  return [
    ...requests.all,
    ...lostAttempts.map(
      (what) => ({ kind: "attempt-lost", what, operation: "a webhook", from: now, to: now }) as const,
    ),
    ...(isRestarted
      ? [{ kind: "restart", what: "the target became unavailable", from: began, to: now } as const]
      : []),
    ...disturbances.between(began, now),
  ];
}

const momentary = (kind: DisturbanceKind, what: string): Disturbance => {
  const now = monotonicNow();
  return { kind, what, from: now, to: now };
};

/** All exchanges and webhooks of a check by time. The last exchanges of a failed check have longer bodies. */
function wireOf(
  { exchanges }: WireLog<Exchange>,
  inboxes: ReadonlySet<Inbox>,
  redact: Redactor,
  hasFailed: boolean,
): Pick<Outcome, "wire"> {
  const longFrom = hasFailed ? exchanges.length - MAX_LONG_BODIES : exchanges.length;
  const asked = exchanges.map((exchange, place) =>
    reportExchange(exchange, redact, place < longFrom ? WIRE_BOUNDS : FAILED_WIRE_BOUNDS),
  );
  const came = [...inboxes].flatMap((inbox) => webhookExchanges(inbox, redact, WIRE_BOUNDS));
  const all = [...asked, ...came].toSorted((one, other) => one.started_at.localeCompare(other.started_at));
  return all.length > 0 ? { wire: all } : {};
}

interface EarlyEnd {
  readonly check: Check;
  readonly session: Session;
  readonly trace: CheckTrace;
  readonly integrators: readonly Identity[];
  readonly inboxes: readonly Inbox[];
  readonly pollSnapshot: PollSnapshot | undefined;
  readonly exchanges: readonly Exchange[];
  /** The time of the failure, as Unix time in milliseconds. */
  readonly at: number;
}

/** The original failure of a property's counterexample. */
const originalFailure = (thrown: Error): Error => (thrown instanceof Counterexample ? thrown.cause : thrown);

function explainEnd(thrown: unknown, run: EarlyEnd): Explanation {
  const { exchanges } = run;
  const { redact } = run.session;
  const error = thrown instanceof Error ? originalFailure(thrown) : thrown;
  const cause = schemaFailure(error, exchanges) ?? refusedDespiteFreeSlot(error, run) ?? error;
  if (cause instanceof OperationGivenUp) {
    return { status: "not_verified", message: cause.message, operation: cause.operation };
  }
  const end = explainFailure(cause, redact, (finding) => evidenceOf(finding, run));
  if (end.status !== "failed") return end;
  const counterexample = thrown instanceof Counterexample ? redact.text(thrown.description) : undefined;
  return { ...end, ...(counterexample && { counterexample }) };
}

/** A refused endpoint despite a free slot. Only the check of the limit reports it as a failure. */
function refusedDespiteFreeSlot(error: unknown, { check, integrators }: EarlyEnd): Error | undefined {
  const refused = refusalDespiteFreeSlot(error, integrators);
  return refused instanceof CheckFailure && check.testsLimitOf === undefined
    ? new SetUpFailure(refused)
    : refused;
}

/** After a test event, a check examines the webhooks that arrived before it. */
const isOfTestEvent = (last: Exchange | undefined): boolean => last?.operation === "testWebhook";

function evidenceOf(
  finding: Error,
  { exchanges, at, inboxes, pollSnapshot, session, trace }: EarlyEnd,
): Evidence {
  const { redact, subscriptionSecrets: secrets } = session;
  const isOfAnswer = finding instanceof NoResponse || (finding instanceof CheckFailure && finding.exchange);
  const { steps } = trace;
  const { webhooks, hint, fault } = isOfAnswer
    ? { ...NO_WEBHOOKS, hint: refusalHint(finding, steps) }
    : webhookEvidence(finding, { inboxes, secrets, redact, pollSnapshot }, exchanges.at(-1)?.startedAt ?? 0);
  const origin = hint ?? originHint(finding, steps);
  const shared = fault ?? faultBehind(finding, exchanges);
  return {
    ...(webhooks.length > 0 && { webhooks }),
    ...(origin !== undefined && { hint: origin }),
    ...(shared !== undefined && { fault: shared }),
    ...exchangeEvidence(finding, {
      exchanges,
      at,
      other: { inboxes, trace: steps },
      isOfWebhook:
        webhooks.length > 0 || finding instanceof WebhookFailure || isOfTestEvent(exchanges.at(-1)),
      redact,
      baseUrl: session.settings.url,
    }),
  };
}
