import { createHash } from "node:crypto";
import { isoInstant, pause } from "../core/clock.ts";
import { CoverageRecord } from "../core/contract/set-coverage.ts";
import { type ReportedExchange, type TextBounds, truncate } from "../core/exchange.ts";
import { CheckRecord } from "../core/grading/check-record.ts";
import { forEachCase } from "../core/grading/expectations/each-element.ts";
import { attributedTo } from "../core/grading/failures/attributed-to.ts";
import { explainFailure, type PartialOutcome } from "../core/grading/failures/explain-failure.ts";
import { CheckSkipped } from "../core/grading/failures/failure.ts";
import { isObject, parseJson, textOf } from "../core/json.ts";
import { isSuccess } from "../core/responses.ts";
import type { Redactor } from "../core/text/redact.ts";
import { WIRE_BOUNDS, WireLog } from "../core/wire.ts";
import type { CheckRun, RunMode } from "../engine/target.ts";
import type { ReceiverCheck } from "./check.ts";
import { newAttempt } from "./session/attempt.ts";
import type { DeliveryRecord } from "./session/delivery-record.ts";
import { type Pace, sequential } from "./session/pace.ts";
import { PairFailure } from "./session/pair-failure.ts";
import { RunDisturbances } from "./session/run-disturbances.ts";
import type { SentEvent } from "./session/sent-events.ts";
import type { ReceiverSession } from "./session/session.ts";

/**
 * The genuine events about deliveries that the receiver accepted from a check, in the order of their first
 * acceptance.
 */
class SentEvents {
  readonly #byDelivery = new Map<string, SentEvent[]>();

  observe({ attempt, violates, reply }: DeliveryRecord): void {
    if (violates !== undefined || attempt.id === undefined || !reply || !isSuccess(reply)) return;
    const event = parseJson(attempt.body.toString());
    const data = isObject(event) && isObject(event.data) ? event.data : {};
    const { id: delivery, version } = data;
    if (typeof delivery !== "string" || typeof version !== "number") return;
    const sent = this.#byDelivery.get(delivery) ?? [];
    const timestamp = isObject(event) ? textOf(event.timestamp) : "";
    if (!sent.some(({ id }) => id === attempt.id)) sent.push({ id: attempt.id, version, timestamp });
    this.#byDelivery.set(delivery, sent);
  }

  about(delivery: string): readonly SentEvent[] {
    return this.#byDelivery.get(delivery) ?? [];
  }
}

/** The maximum number of a check's attempts that are kept in memory, and in the report. */
const MAX_KEPT_ATTEMPTS = 60;
const MAX_REPORTED_ATTEMPTS = 6;

function reportDelivery(
  delivered: DeliveryRecord,
  url: string,
  redact: Redactor,
  bounds?: TextBounds,
): ReportedExchange {
  const { attempt, headers, violates, reply, failure } = delivered;
  return {
    operation: attempt.kind,
    started_at: isoInstant(delivered.startedAt),
    duration_ms: Math.round(delivered.durationMs),
    ...(violates === undefined ? {} : { violates }),
    ...(failure === undefined ? {} : { failure: redact.text(failure) }),
    request: {
      method: "POST",
      url: redact.text(url),
      headers: redact.headers(headers),
      body: truncate(attempt.body.toString(), (text) => redact.text(text), bounds),
    },
    ...(reply && {
      response: {
        status: reply.status,
        headers: redact.headers(reply.headers),
        body: truncate(reply.text, (text) => redact.text(text), bounds),
      },
    }),
  };
}

export interface RunCheckOptions extends Pick<RunMode, "restOfRun"> {
  /** How the check sends deliveries that don't depend on each other. */
  readonly pace?: Pace;
  /** True if only a pass counts. The run then doesn't diagnose failures. */
  readonly isTentative?: boolean;
}

/** The result of one run of a check, with the error that ended it. */
export interface ReceiverRun extends CheckRun {
  readonly failure: unknown;
}

/** Runs one check once. Never throws. */
export async function runCheck(
  check: ReceiverCheck,
  session: ReceiverSession,
  seed: number,
  { restOfRun, pace = sequential, isTentative = false }: RunCheckOptions,
): Promise<ReceiverRun> {
  const { redact, target } = session;
  const record = new CheckRecord<DeliveryRecord>(redact, MAX_KEPT_ATTEMPTS);
  const wire = session.keepsWire ? new WireLog<DeliveryRecord>() : undefined;
  const disturbed = new RunDisturbances(session);
  const sent = new SentEvents();
  const recordDelivery = (delivered: DeliveryRecord) => {
    disturbed.observe(delivered);
    sent.observe(delivered);
    record.addExchange(delivered);
    wire?.add(delivered);
  };
  const { effects } = session;
  const sets = new CoverageRecord();
  const outcomeOf = (end: PartialOutcome) => {
    const { coverage } = sets;
    const all = wire?.exchanges.map((one) => reportDelivery(one, target.url, redact, WIRE_BOUNDS)) ?? [];
    return record.outcome({
      ...end,
      ...(coverage.length > 0 && { coverage }),
      ...(all.length > 0 && { wire: all }),
    });
  };
  const runResult = (found: unknown): ReceiverRun => {
    const { disturbances, endsReceiver } = disturbed.at(found);
    const failure = endsReceiver ?? found;
    if (failure === undefined) return { outcome: outcomeOf({ status: "passed" }), failure, disturbances };
    const { expectedData, ...end } = explainFailure(failure, redact, () => ({
      exchanges: shownOf(failure, record.failedAt(failure).exchanges)
        .slice(-MAX_REPORTED_ATTEMPTS)
        .map((one) => reportDelivery(one, target.url, redact)),
    }));
    const seenAt = attributedTo(failure, check.clauses);
    return {
      outcome: outcomeOf(end),
      failure,
      disturbances,
      seenAt,
      ...(expectedData !== undefined && { expectedData }),
    };
  };
  const missing = check.needs
    .map((need) => session.missingPrerequisite(need))
    .find((why) => why !== undefined);
  if (missing !== undefined) {
    return { outcome: outcomeOf({ status: "not_verified", message: missing }), failure: undefined };
  }
  try {
    await check.run({
      attempt: (event, options) => newAttempt(session.key, event, options),
      deliver: async (attempt, options) => {
        const reply = await session.deliver(attempt, recordDelivery, options);
        disturbed.expectToSurvive();
        return reply;
      },
      probe: (attempt, options) => {
        if (isTentative) throw new CheckSkipped("the check runs again sequentially");
        return session.deliver(attempt, (probe) => wire?.add(probe), options);
      },
      concurrency: pace.concurrency,
      forEachUntilFailure: (items, work) => pace.forEachUntilFailure(items, work),
      burst: (size, send) => pace.burst(size, send),
      useContentType: (contentType) => session.useContentType(contentType),
      acceptedIds: () => session.acceptedIds,
      key: session.key,
      secret: target.secret,
      eventTypes: target.eventTypes,
      effectsIfGiven: effects,
      sentAbout: (delivery) => sent.about(delivery),
      statuses: target.statuses,
      limitMs: target.limitMs,
      random: seededNumbers(seed, check.id),
      note: record.account,
      recordCoverage: (...come) => sets.add(...come),
      each: (group, examine) => {
        const reached = (name: string) => group.set && sets.add(group.set, [name]);
        if (!isTentative)
          return forEachCase(group, examine, undefined, { reached, failed: record.continueAfter });
        for (const element of group.elements) reached(group.nameOf(element));
        return pace.forEachUntilFailure(group.elements, examine);
      },
      get hasAcceptedAny() {
        return session.acceptedIds.length > 0;
      },
      get effects() {
        if (!effects)
          throw new Error(`${check.id} uses the effects interface, but its \`needs\` doesn't list it`);
        return effects;
      },
      step: (work) => session.lock.shared(() => pace.asOneDelivery(work)),
      elapsed: pause,
      restOfRun: () => restOfRun,
    });
  } catch (error) {
    return runResult(error);
  }
  return runResult(undefined);
}

/** The attempts that a failure shows. A failure about two events shows only the attempts of these events. */
function shownOf(failure: unknown, sent: readonly DeliveryRecord[]): readonly DeliveryRecord[] {
  if (!(failure instanceof PairFailure)) return sent;
  return sent.filter(({ attempt }) => attempt.id !== undefined && failure.ids.includes(attempt.id));
}

/** Returns a function that draws seeded integers below a bound. */
function seededNumbers(seed: number, id: string): (bound: number) => number {
  let drawn = 0;
  return (bound) => {
    drawn += 1;
    return createHash("sha256").update(`${seed} ${id} ${drawn}`).digest().readUInt32BE() % bound;
  };
}
