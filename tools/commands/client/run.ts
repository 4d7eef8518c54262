import type { ClientCheck } from "../../../suites/client/check.ts";
import { runCheck, wireOf } from "../../../suites/client/run-check.ts";
import type { Evidence } from "../../../suites/client/session/evidence.ts";
import { playRounds } from "../../../suites/client/session/play-rounds.ts";
import type { ClientAccess, ClientSession } from "../../../suites/client/session/session.ts";
import { undecidedBy } from "../../../suites/client/undecided.ts";
import { pause, poll } from "../../../suites/core/clock.ts";
import { NotTestable } from "../../../suites/core/grading/failure.ts";
import type { Redactor } from "../../../suites/core/text/redact.ts";
import type { Run, RunListener } from "../../certification/vitest-run.ts";
import type { ClientProcess, ProcessEnd } from "./process.ts";

/** A client that the run starts by itself, and starts again as often as scenarios are left. */
export interface StartedHere {
  /** What the first start got, and the process that came of it. */
  readonly access: ClientAccess;
  readonly first: ClientProcess;
  readonly start: (access: ClientAccess) => Promise<ClientProcess>;
  /** How many starts there may be at most; undefined for as many as are of use. */
  readonly rounds: number | undefined;
}

export interface ClientRunParts {
  readonly session: ClientSession;
  readonly checks: readonly ClientCheck[];
  /** Undefined where the client is started elsewhere. */
  readonly client: StartedHere | undefined;
  /** Milliseconds; undefined where nothing but the person ends it. */
  readonly durationMs: number | undefined;
  readonly redact: Redactor;
  /** Whether all that the client sent and got is kept for the report. */
  readonly keepsWire: boolean;
}

/** How often it is looked whether everything was played. */
const LOOK_MS = 500;
/** Faults of requests that are on their way when the client ends. */
const SETTLING_MS = 50;

/** Lets the client play until it ends, its time is over or the person says so, and then grades what was seen. */
export function runClient(parts: ClientRunParts, listener: RunListener): Run {
  const { session, checks, client, redact, keepsWire } = parts;
  const ending = new AbortController();
  let stop = () => {};
  const stopped = new Promise<void>((resolve) => {
    stop = resolve;
  });
  let excess: string | undefined;
  const exceeded = session.exceeded.then((words) => {
    excess = words;
  });
  const over = Promise.race([stopped, timeIsOver(parts, listener, ending.signal), exceeded]);
  if (!client) void tellWhenPlayed(session, listener, ending.signal);
  const played = client
    ? playHere(parts, client, over, listener)
    : over.then(() => ({ evidence: session.evidence(), end: undefined }));
  const finished = played
    .finally(() => ending.abort())
    .then(({ evidence, end }) => {
      const silence = silenceOf(evidence, end);
      for (const [index, check] of checks.entries()) {
        // It stands with the first of the checks: the report holds it once.
        const wire = keepsWire && index === 0 ? wireOf(evidence, redact) : {};
        listener.checkEnded(check.id, {
          ...runCheck(silence === undefined ? check : notTestable(check, silence), evidence, redact),
          ...wire,
        });
      }
      const requests = evidence.requests.length;
      const ending = { requests, ...(excess !== undefined && { targetLost: excess }) };
      return { requests, faults: [], ending };
    });
  return { finished, stop };
}

const inWords = ({ code }: ProcessEnd): string => `exit code ${code ?? "none, by a signal"}`;

/** Why there is nothing at all to look at, where a client ended by itself; one reason is more than one for each check. */
const silenceOf = ({ requests }: Evidence, end: ProcessEnd | undefined): string | undefined =>
  end === undefined || requests.length > 0
    ? undefined
    : `the client sent nothing and ended with ${inWords(end)}: run its command by itself, and see what it prints`;

const notTestable = (check: ClientCheck, why: string): ClientCheck => ({
  ...check,
  judge() {
    throw new NotTestable(why);
  },
});

async function timeIsOver(
  { durationMs }: ClientRunParts,
  listener: RunListener,
  signal: AbortSignal,
): Promise<void> {
  if (durationMs === undefined) return new Promise(() => {});
  const isOver = await pause(durationMs, signal).then(
    () => true,
    () => false,
  );
  if (isOver) listener.notice(`${durationMs / 1000} s are over: the run ends here`);
}

/** What was seen of a client, and how its last start ended; undefined where that was ended from outside. */
interface Played {
  readonly evidence: Evidence;
  readonly end: ProcessEnd | undefined;
}

/** Starts the client as often as that is of use, and says what was seen until then or until the run is over. */
async function playHere(
  { session, checks }: ClientRunParts,
  { access, first, start, rounds }: StartedHere,
  over: Promise<void>,
  listener: RunListener,
): Promise<Played> {
  let seen: Evidence | undefined;
  let lastEnd: ProcessEnd | undefined;
  await playRounds(session, access, {
    rounds,
    undecided: undecidedBy(checks),
    start: async (given, round) => {
      if (round > 1) {
        const left = session.plan.left.map(({ name }) => name).join(", ");
        listener.notice(`start ${round}, for ${session.plan.again?.name ?? left}`);
      }
      const client = round === 1 ? first : await start(given);
      const end = await Promise.race([client.ended, over]);
      lastEnd = end ?? undefined;
      if (end) {
        if (end.code !== 0) {
          listener.notice(`the client ended with ${inWords(end)}`);
        }
        await pause(SETTLING_MS);
      } else {
        seen = session.evidence();
      }
      await client.stop();
      return end !== undefined;
    },
  });
  return { evidence: seen ?? session.evidence(), end: lastEnd };
}

/** Tells once that every scenario that the client has had occasion for was met. */
async function tellWhenPlayed(
  { plan }: ClientSession,
  listener: RunListener,
  signal: AbortSignal,
): Promise<void> {
  const isPlayed = await poll(async () => (plan.isPlayed || signal.aborted ? true : undefined), {
    within: Number.POSITIVE_INFINITY,
    every: LOOK_MS,
  });
  if (!isPlayed || signal.aborted) return;
  const left = plan.left.map(({ name }) => name).join(", ");
  listener.notice(
    `Every scenario has begun${left && ` that this client has had occasion for; left are ${left}`}. Give the client time to finish its tries; Ctrl-C grades it.`,
  );
}
