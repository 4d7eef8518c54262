import { CheckRecord } from "../core/check-record.ts";
import { responseFault } from "../core/document.ts";
import { curlLine, type Exchange, reportExchange } from "../core/exchange.ts";
import { type CheckEnd, explainFailure, isFinding } from "../core/explain-failure.ts";
import { CheckFailure, NoAnswer, NotTestable } from "../core/failure.ts";
import type { Outcome, TimelineTrack } from "../core/outcome.ts";
import { Counterexample } from "../core/property.ts";
import type { Redactor } from "../core/redact.ts";
import { isSuccess } from "../core/responses.ts";
import type { Check } from "./check.ts";
import { openContext } from "./context/open-context.ts";
import type { Recorder } from "./context/parts.ts";
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
  const { redact, transport } = session;
  const record = new CheckRecord<Exchange>(redact, KEPT_EXCHANGES);
  const tries = new Tries();
  const lost = new LostConnections();
  let tracks: () => readonly TimelineTrack[] = () => [];
  const ended = (end: CheckEnd): Try => {
    for (const line of lost.account) record.account(line);
    const timeline = tracks();
    return { lost, outcome: record.outcome({ ...end, ...(timeline.length > 0 && { timeline }) }) };
  };
  const gone = () => ended({ status: "not_testable", message: redact.text(transport.gone ?? "") });
  if (transport.gone !== undefined) return gone();
  const lacking = check.needs
    .map((need) => missingPrerequisite(session, need, check.waits))
    .find((why) => why !== undefined);
  if (lacking !== undefined) return ended({ status: "not_testable", message: lacking });
  const recorder: Recorder = {
    exchange: (exchange) => {
      lost.note(exchange);
      tries.note({ exchange });
      record.add(exchange);
    },
    tries,
    account: record.account,
    timeline: (read) => {
      tracks = read;
    },
  };
  try {
    const open = await openContext(check, session, seed, recorder);
    try {
      await check.run(open.context);
    } finally {
      await open.close();
    }
    return ended({ status: "passed" });
  } catch (error) {
    const end = explain(error, record.exchanges, session, tries);
    if (end.status === "not_testable" || (await session.answers())) return ended(end);
    // What is missing may be missing because the target is gone: an event that doesn't come is no finding then.
    return gone();
  }
}

function explain(
  thrown: unknown,
  exchanges: readonly Exchange[],
  { redact, settings }: Session,
  tries: Tries,
): CheckEnd {
  const error = thrown instanceof Counterexample ? thrown.cause : thrown;
  const cause = stumbledOver(error, exchanges) ?? error;
  const end = explainFailure(cause, redact, (finding) => evidenceOf(finding, exchanges, redact));
  if (!(thrown instanceof Counterexample)) return end;
  const counterexample = redact.text(thrown.story);
  const script = scriptOf(counterexample, tries.failed, { baseUrl: settings.url, redact });
  return { ...end, counterexample, script };
}

/**
 * An answer that isn't what the document says, where that is what a check stumbled over: the target's fault, not the
 * suite's.
 */
function stumbledOver(error: unknown, exchanges: readonly Exchange[]): CheckFailure | undefined {
  if (isFinding(error) || error instanceof NotTestable) return undefined;
  const exchange = exchanges.findLast((one) => misfitOf(one) !== undefined);
  if (!exchange) return undefined;
  return new CheckFailure(
    `the answer to ${exchange.operation} doesn't fit the document (${misfitOf(exchange)}), and the check can't go on`,
    { exchange },
  );
}

function misfitOf({ operation, response }: Exchange): string | undefined {
  return response && isSuccess(response)
    ? responseFault(operation, response.status, response.json)
    : undefined;
}

function evidenceOf(
  finding: Error,
  exchanges: readonly Exchange[],
  redact: Redactor,
): Pick<Outcome, "curl" | "exchanges"> {
  const named = finding instanceof CheckFailure || finding instanceof NoAnswer ? finding.exchange : undefined;
  const blamed = named ?? exchanges.at(-1);
  if (!blamed) return { exchanges: [] };
  // What came after, such as a check's tidying up, has nothing to do with it; the one it is about stands last.
  const before = exchanges.slice(0, exchanges.lastIndexOf(blamed));
  const shown = [...before, blamed].slice(-REPORTED_EXCHANGES);
  return {
    curl: curlLine(blamed, redact),
    exchanges: shown.map((exchange) => reportExchange(exchange, redact)),
  };
}
