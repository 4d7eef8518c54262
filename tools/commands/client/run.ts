import type { ClientCheck } from "../../../suites/client/check.ts";
import type { Play, Played } from "../../../suites/client/run-target.ts";
import type { Evidence } from "../../../suites/client/session/evidence.ts";
import { playRounds } from "../../../suites/client/session/play-rounds.ts";
import type { ClientAccess, ClientSession } from "../../../suites/client/session/session.ts";
import { unplannedRefusals } from "../../../suites/client/session/unplanned-refusals.ts";
import { undecidedBy } from "../../../suites/client/undecided.ts";
import { pause, poll } from "../../../suites/core/clock.ts";
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

export interface PlayParts {
  readonly session: ClientSession;
  readonly checks: readonly ClientCheck[];
  /** Undefined where the client is started elsewhere. */
  readonly client: StartedHere | undefined;
  /** Milliseconds; undefined where nothing but the person ends it. */
  readonly durationMs: number | undefined;
}

type Notice = (text: string) => void;

/** How often it is looked whether everything was played. */
const LOOK_MS = 500;
/** Faults of requests that are on their way when the client ends. */
const SETTLING_MS = 50;

/** Lets the client play until it ends, its time is over or the person says so. */
export const playClient =
  (parts: PlayParts): Play =>
  async ({ notice, signal }) => {
    const { session, client } = parts;
    const ending = new AbortController();
    let excess: string | undefined;
    const exceeded = session.exceeded.then((words) => {
      excess = words;
    });
    const stopped = new Promise<void>((resolve) => {
      signal.addEventListener("abort", () => resolve(), { once: true });
    });
    const over = Promise.race([stopped, timeIsOver(parts, notice, ending.signal), exceeded]);
    if (!client) void tellWhenPlayed(session, notice, ending.signal);
    try {
      const { evidence, end } = client
        ? await playHere(parts, client, over, notice)
        : await over.then(() => ({ evidence: session.evidence(), end: undefined }));
      for (const { line } of unplannedRefusals(evidence.requests)) notice(line);
      return { evidence, silence: silenceOf(evidence, end), excess };
    } finally {
      ending.abort();
    }
  };

const inWords = ({ code }: ProcessEnd): string => `exit code ${code ?? "none, by a signal"}`;

/** Why there is nothing at all to look at, where a client ended by itself. */
const silenceOf = ({ requests }: Evidence, end: ProcessEnd | undefined): string | undefined =>
  end === undefined || requests.length > 0
    ? undefined
    : `the client sent nothing and ended with ${inWords(end)}: run its command by itself, and see what it prints`;

async function timeIsOver({ durationMs }: PlayParts, notice: Notice, signal: AbortSignal): Promise<void> {
  if (durationMs === undefined) return new Promise(() => {});
  const isOver = await pause(durationMs, signal).then(
    () => true,
    () => false,
  );
  if (isOver) notice(`${durationMs / 1000} s are over: the run ends here`);
}

/** What was seen of a client, and how its last start ended; undefined where that was ended from outside. */
interface SeenHere extends Pick<Played, "evidence"> {
  readonly end: ProcessEnd | undefined;
}

/** Starts the client as often as that is of use, and says what was seen until then or until the run is over. */
async function playHere(
  { session, checks }: PlayParts,
  { access, first, start, rounds }: StartedHere,
  over: Promise<void>,
  notice: Notice,
): Promise<SeenHere> {
  let seen: Evidence | undefined;
  let lastEnd: ProcessEnd | undefined;
  await playRounds(session, access, {
    rounds,
    undecided: undecidedBy(checks),
    start: async (given, round) => {
      if (round > 1) {
        const left = session.plan.left.map(({ name }) => name).join(", ");
        notice(`start ${round}, for ${session.plan.again?.name ?? left}`);
      }
      const client = round === 1 ? first : await start(given);
      const end = await Promise.race([client.ended, over]);
      lastEnd = end ?? undefined;
      if (end) {
        if (end.code !== 0) {
          notice(`the client ended with ${inWords(end)}`);
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
async function tellWhenPlayed({ plan }: ClientSession, notice: Notice, signal: AbortSignal): Promise<void> {
  const isPlayed = await poll(async () => (plan.isPlayed || signal.aborted ? true : undefined), {
    within: Number.POSITIVE_INFINITY,
    every: LOOK_MS,
  });
  if (!isPlayed || signal.aborted) return;
  const left = plan.left.map(({ name }) => name).join(", ");
  notice(
    `Every scenario has begun${left && ` that this client has had occasion for; left are ${left}`}. Give the client time to finish its tries; Ctrl-C grades it.`,
  );
}
