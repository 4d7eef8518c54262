import { createHash } from "node:crypto";
import { instant, stopwatch } from "../core/clock.ts";
import type { ReportedExchange } from "../core/exchange.ts";
import { CheckFailure, NotTestable } from "../core/failure.ts";
import type { Outcome } from "../core/outcome.ts";
import { isAssertion } from "../core/property.ts";
import type { Redactor } from "../core/redact.ts";
import type { ReceiverCheck } from "./check.ts";
import { attemptOf } from "./session/attempt.ts";
import { type Delivered, Lost, type ReceiverSession } from "./session/session.ts";

const KEPT = 60;
const REPORTED = 6;
const LONGEST_TEXT = 4_000;

const cut = (text: string): string =>
  text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}… (${text.length} characters)` : text;

function reported(delivered: Delivered, url: string, redact: Redactor): ReportedExchange {
  const { attempt, headers, violates, reply, failure } = delivered;
  return {
    operation: attempt.kind,
    started_at: instant(delivered.startedAt),
    duration_ms: Math.round(delivered.durationMs),
    ...(violates === undefined ? {} : { violates }),
    ...(failure === undefined ? {} : { failure: redact.text(failure) }),
    request: {
      method: "POST",
      url: redact.text(url),
      headers: redact.headers(headers),
      body: cut(redact.text(attempt.body.toString())),
    },
    ...(reply && {
      response: {
        status: reply.status,
        headers: redact.headers(reply.headers),
        body: cut(redact.text(reply.text)),
      },
    }),
  };
}

/**
 * Runs one check on the receiver and says how it ended; never throws. Where the connection was lost while others were
 * at it too, the check is run again on its own: only so can it be said whose request it was.
 */
export async function examine(
  check: ReceiverCheck,
  session: ReceiverSession,
  seed: number,
): Promise<Outcome> {
  if (check.alone) return session.gate.alone(async () => (await once(check, session, seed)).outcome);
  const beside = await session.gate.shared(() => once(check, session, seed));
  if (!beside.lost) return beside.outcome;
  return session.gate.alone(async () => (await once(check, session, seed)).outcome);
}

async function once(
  check: ReceiverCheck,
  session: ReceiverSession,
  seed: number,
): Promise<{ outcome: Outcome; lost: boolean }> {
  const start = stopwatch();
  const deliveries: Delivered[] = [];
  const account: string[] = [];
  const { redact, target } = session;
  let requests = 0;
  const record = (delivered: Delivered) => {
    requests += 1;
    deliveries.push(delivered);
    if (deliveries.length > KEPT) deliveries.shift();
  };
  const ended = (rest: Pick<Outcome, "status"> & Partial<Outcome>): Outcome => ({
    duration_ms: Math.round(stopwatch() - start),
    requests,
    ...rest,
    ...(account.length > 0 && { account: account.map((line) => redact.text(line)) }),
  });
  const lacking = check.needs.map((need) => session.missing(need)).find((why) => why !== undefined);
  if (lacking !== undefined)
    return { outcome: ended({ status: "not_testable", message: lacking }), lost: false };
  try {
    await check.run({
      attempt: (event, options) => attemptOf(session.key, event, options),
      deliver: (attempt, options) => session.deliver(attempt, record, options),
      key: session.key,
      secret: target.secret,
      limitMs: target.limitMs,
      random: numbers(seed, check.id),
      account: (line) => account.push(line),
      get effects() {
        if (!session.effects) throw new Error(`${check.id} uses the effects interface without saying so`);
        return session.effects;
      },
    });
    return { outcome: ended({ status: "passed" }), lost: false };
  } catch (error) {
    const exchanges = deliveries.slice(-REPORTED).map((one) => reported(one, target.url, redact));
    return { outcome: ended(explain(error, exchanges, redact)), lost: error instanceof Lost };
  }
}

/** Whole numbers that follow from the seed and the check: the next one, below a bound. */
function numbers(seed: number, id: string): (bound: number) => number {
  let drawn = 0;
  return (bound) => {
    drawn += 1;
    return createHash("sha256").update(`${seed} ${id} ${drawn}`).digest().readUInt32BE() % bound;
  };
}

/** Tells a finding about the receiver from a missing prerequisite and from a fault of the suite. */
function explain(
  thrown: unknown,
  exchanges: readonly ReportedExchange[],
  redact: Redactor,
): Pick<Outcome, "status"> & Partial<Outcome> {
  if (thrown instanceof NotTestable) return { status: "not_testable", message: redact.text(thrown.message) };
  if (!isAssertion(thrown)) {
    const place = thrown instanceof Error ? (thrown.stack?.split("\n")[1]?.trim() ?? "") : "";
    return { status: "errored", message: redact.text(`${thrown} ${place}`.trim()) };
  }
  const shown = (value: unknown) => redact.text(String(value));
  const { expected, actual } =
    thrown instanceof CheckFailure || ("expected" in thrown && "actual" in thrown)
      ? thrown
      : { expected: undefined, actual: undefined };
  return {
    status: "failed",
    message: redact.text(thrown.message.split("\n")[0] ?? ""),
    ...(expected === undefined ? {} : { expected: shown(expected) }),
    ...(actual === undefined ? {} : { actual: shown(actual) }),
    exchanges,
  };
}
