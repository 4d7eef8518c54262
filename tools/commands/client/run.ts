import type { ClientCheck } from "../../../suites/client/check.ts";
import type { Play, PlayResult } from "../../../suites/client/run-target.ts";
import type { Evidence } from "../../../suites/client/session/evidence.ts";
import { playStarts } from "../../../suites/client/session/play-starts.ts";
import type { ClientAccess, ClientSession } from "../../../suites/client/session/session.ts";
import { unplannedRefusals } from "../../../suites/client/session/unplanned-refusals.ts";
import { undecidedBy } from "../../../suites/client/undecided.ts";
import { pause, poll } from "../../../suites/core/clock.ts";
import type { ClientProcess, ProcessEnd } from "./process.ts";

/** A client that the run starts itself, and restarts while scenarios are left. */
export interface ChildClient {
  /** The access data of the first start, and its process. */
  readonly access: ClientAccess;
  readonly first: ClientProcess;
  readonly start: (access: ClientAccess) => Promise<ClientProcess>;
  readonly maxStarts: number | undefined;
  /** True if two instances may run at once. */
  readonly mayOverlap: boolean;
}

interface PlayDependencies {
  readonly session: ClientSession;
  readonly checks: readonly ClientCheck[];
  readonly client: ChildClient | undefined;
  /** Milliseconds; undefined if only the operator ends the run. */
  readonly durationMs: number | undefined;
}

type Notice = (text: string) => void;

/** The poll interval for completion. */
const POLL_MS = 500;
/** The wait for open requests after the client exits. */
const SETTLING_MS = 50;

/** Runs the client until it exits, times out or is interrupted. */
export const playClient =
  (deps: PlayDependencies): Play =>
  async ({ notice, signal }) => {
    const { session, client } = deps;
    const ending = new AbortController();
    let excess: string | undefined;
    const exceeded = session.exceeded.then((words) => {
      excess = words;
    });
    const stopped = new Promise<void>((resolve) => {
      signal.addEventListener("abort", () => resolve(), { once: true });
    });
    const over = Promise.race([stopped, timeIsOver(deps, notice, ending.signal), exceeded]);
    if (!client) void notifyWhenPlayed(session, notice, ending.signal);
    try {
      const { evidence, end } = client
        ? await playChildClient(deps, client, over, notice)
        : await over.then(() => ({ evidence: session.evidence(), end: undefined }));
      for (const { line } of unplannedRefusals(evidence.requests)) notice(line);
      return { evidence, silence: silenceOf(evidence, end), excess };
    } finally {
      ending.abort();
    }
  };

const inWords = ({ code }: ProcessEnd): string => `exit code ${code ?? "none, by a signal"}`;

/** Why there is no evidence, if a client exited by itself. */
const silenceOf = ({ requests }: Evidence, end: ProcessEnd | undefined): string | undefined =>
  end === undefined || requests.length > 0
    ? undefined
    : `the client sent nothing and ended with ${inWords(end)}: run its command alone to see what it prints`;

async function timeIsOver(
  { durationMs }: PlayDependencies,
  notice: Notice,
  signal: AbortSignal,
): Promise<void> {
  if (durationMs === undefined) return new Promise(() => {});
  const isOver = await pause(durationMs, signal).then(
    () => true,
    () => false,
  );
  if (isOver) notice(`${durationMs / 1000} s have passed (--duration): the run ends`);
}

/** A client's evidence, and how the client's last process ended. `end` is undefined if the run ended the process. */
interface ChildClientEvidence extends Pick<PlayResult, "evidence"> {
  readonly end: ProcessEnd | undefined;
}

/** Starts the client as long as scenarios are left, and collects the evidence until the run ends. */
async function playChildClient(
  { session, checks }: PlayDependencies,
  { access, first, start, maxStarts, mayOverlap }: ChildClient,
  over: Promise<void>,
  notice: Notice,
): Promise<ChildClientEvidence> {
  let seen: Evidence | undefined;
  let lastEnd: ProcessEnd | undefined;
  await playStarts(session, access, {
    maxStarts,
    mayOverlap,
    undecided: undecidedBy(checks),
    start: async (given) => {
      const { startNumber } = given;
      if (given !== access) {
        const names = session.plan.scenariosOf(startNumber).map(({ name }) => name);
        notice(`start ${startNumber}, with the scenarios ${names.join(", ")}`);
      }
      const client = given === access ? first : await start(given);
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

/** Prints a message once every scenario for this client's tasks is complete. */
async function notifyWhenPlayed({ plan }: ClientSession, notice: Notice, signal: AbortSignal): Promise<void> {
  const isPlayed = await poll(async () => (plan.isPlayed || signal.aborted ? true : undefined), {
    within: Number.POSITIVE_INFINITY,
    every: POLL_MS,
  });
  if (!isPlayed || signal.aborted) return;
  const left = plan.scenariosLeft.map(({ name }) => name).join(", ");
  notice(
    `Every scenario ${left && `for this client's requests `}has begun${left && `; for other requests: ${left}`}. Give the client time to finish its retries; Ctrl-C grades it.`,
  );
}
