import { inspect } from "node:util";
import { stopwatch } from "../core/clock.ts";
import { responseFault } from "../core/document.ts";
import { curlLine, cut, type Exchange, reportExchange } from "../core/exchange.ts";
import { CheckFailure, NoAnswer, NotTestable } from "../core/failure.ts";
import type { Outcome, TimelineTrack } from "../core/outcome.ts";
import { Counterexample, isAssertion } from "../core/property.ts";
import type { Capability } from "./capabilities.ts";
import type { Check } from "./check.ts";
import { enter } from "./context.ts";
import { LostConnections, type Try, untilUndisturbed } from "./lost-connections.ts";
import { missingPrerequisite } from "./prerequisites.ts";
import { scriptOf, Tries } from "./repro-script.ts";
import type { Session } from "./session/session.ts";

/** As many exchanges of a check are kept and reported: its last ones. */
const KEPT_EXCHANGES = 30;
const REPORTED_EXCHANGES = 6;

/** Runs one check on the target and says how it ended; never throws. */
export const examine = (check: Check, session: Session, seed: number): Promise<Outcome> =>
  untilUndisturbed(() => tryOnce(check, session, seed));

async function tryOnce(check: Check, session: Session, seed: number): Promise<Try> {
  const lost = new LostConnections();
  const start = stopwatch();
  const exchanges: Exchange[] = [];
  const account: string[] = [];
  let tracks: () => readonly TimelineTrack[] = () => [];
  let requests = 0;
  const tries = new Tries();
  const record = (exchange: Exchange) => {
    requests += 1;
    lost.note(exchange);
    tries.note({ exchange });
    exchanges.push(exchange);
    if (exchanges.length > KEPT_EXCHANGES) exchanges.shift();
  };
  const ended = (rest: Pick<Outcome, "status"> & Partial<Outcome>): Try => {
    const timeline = tracks();
    const lines = [...account, ...lost.account];
    return {
      lost,
      outcome: {
        duration_ms: Math.round(stopwatch() - start),
        requests,
        ...rest,
        ...(lines.length > 0 && { account: lines.map((line) => session.redact.text(line)) }),
        ...(timeline.length > 0 && { timeline }),
      },
    };
  };
  const gone = () =>
    ended({ status: "not_testable", message: session.redact.text(session.transport.gone ?? "") });
  if (session.transport.gone !== undefined) return gone();
  const lacking = check.needs
    .map((need: Capability) => missingPrerequisite(session, need, check.waits))
    .find((why) => why !== undefined);
  if (lacking !== undefined) return ended({ status: "not_testable", message: lacking });
  try {
    const stay = await enter(check, session, seed, record, {
      tries,
      account: (line) => account.push(line),
      timeline: (read) => {
        tracks = read;
      },
    });
    try {
      await check.run(stay.context);
    } finally {
      await stay.leave();
    }
    return ended({ status: "passed" });
  } catch (error) {
    const outcome = explain(error, exchanges, session, tries);
    if (outcome.status === "not_testable" || (await session.answers())) return ended(outcome);
    // What is missing may be missing because the target is gone: an event that doesn't come is no finding then.
    return gone();
  }
}

/** Tells a finding about the target from a missing prerequisite and from a fault of the suite. */
function explain(
  thrown: unknown,
  exchanges: readonly Exchange[],
  session: Session,
  tries: Tries,
): Pick<Outcome, "status"> & Partial<Outcome> {
  if (thrown instanceof NotTestable) {
    return { status: "not_testable", message: session.redact.text(thrown.message) };
  }
  const error = thrown instanceof Counterexample ? thrown.cause : thrown;
  const story = thrown instanceof Counterexample ? retold(thrown.story, tries, session) : {};
  if (isAssertion(error) || error instanceof NoAnswer) {
    return { status: "failed", ...story, ...finding(error, exchanges, session) };
  }
  const misfit = exchanges.findLast((exchange) => misfitOf(exchange) !== undefined);
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  if (misfit) {
    // The check stumbled over an answer that isn't what the document says: the target's fault, not the suite's.
    const failure = new CheckFailure(
      `the answer to ${misfit.operation} doesn't fit the document (${misfitOf(misfit)}), and the check can't go on`,
      { exchange: misfit },
    );
    return { status: "failed", ...story, ...finding(failure, exchanges, session) };
  }
  const place = error instanceof Error ? (error.stack?.split("\n")[1]?.trim() ?? "") : "";
  return { status: "errored", ...story, message: session.redact.text(`${message} ${place}`.trim()) };
}

/** A counterexample in words, and as a script. */
function retold(story: string, tries: Tries, { redact, settings }: Session): Partial<Outcome> {
  const counterexample = redact.text(story);
  const script = scriptOf(counterexample, tries.failed, { baseUrl: settings.url, redact });
  return { counterexample, script };
}

function misfitOf(exchange: Exchange): string | undefined {
  const { response } = exchange;
  return response && response.status >= 200 && response.status <= 299
    ? responseFault(exchange.operation, response.status, response.json)
    : undefined;
}

const show = (value: unknown): string =>
  typeof value === "string" ? value : inspect(value, { depth: 6, breakLength: 100 });

function finding(error: Error, exchanges: readonly Exchange[], session: Session): Partial<Outcome> {
  const { redact } = session;
  const blamed =
    (error instanceof CheckFailure || error instanceof NoAnswer ? error.exchange : undefined) ??
    exchanges.at(-1);
  const compared = "expected" in error || "actual" in error ? error : undefined;
  const value = (key: "expected" | "actual") => {
    const found: unknown = compared && key in compared ? Reflect.get(compared, key) : undefined;
    return found === undefined ? {} : { [key]: cut(redact.body(show(found))) };
  };
  // What came after, such as a check's tidying up, has nothing to do with it; the one it is about stands last.
  const upTo = blamed === undefined ? [] : exchanges.slice(0, exchanges.lastIndexOf(blamed));
  const shown = blamed === undefined ? [] : [...upTo, blamed].slice(-REPORTED_EXCHANGES);
  return {
    message: redact.body(error.message.split("\n")[0] ?? ""),
    ...value("expected"),
    ...value("actual"),
    ...(blamed && { curl: curlLine(blamed, redact) }),
    exchanges: shown.map((exchange) => reportExchange(exchange, redact)),
  };
}
