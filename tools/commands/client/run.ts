import type { ClientCheck } from "../../../suites/client/check.ts";
import { examine } from "../../../suites/client/run-check.ts";
import type { ClientSession } from "../../../suites/client/session/session.ts";
import { pause, poll } from "../../../suites/core/clock.ts";
import type { Redactor } from "../../../suites/core/redact.ts";
import type { Run, RunListener } from "../../certification/vitest-run.ts";
import type { ClientProcess } from "./process.ts";

export interface ClientRunParts {
  readonly session: ClientSession;
  readonly checks: readonly ClientCheck[];
  /** Undefined where the client is started elsewhere. */
  readonly client: ClientProcess | undefined;
  /** Milliseconds; undefined where nothing but the person ends it. */
  readonly durationMs: number | undefined;
  readonly redact: Redactor;
}

/** How often it is looked whether everything was played. */
const LOOK_MS = 500;
/** Faults of requests that are on their way when the client ends. */
const SETTLING_MS = 50;

type End = "client" | "person" | "time";

/** Lets the client play until it ends, its time is over or the person says so, and then grades what was seen. */
export function runClient(
  { session, checks, client, durationMs, redact }: ClientRunParts,
  listener: RunListener,
): Run {
  const ending = new AbortController();
  let stop = () => {};
  const stopped = new Promise<End>((resolve) => {
    stop = () => resolve("person");
  });
  const ends: Promise<End>[] = [stopped];
  if (client) {
    ends.push(
      client.ended.then(({ code }) => {
        if (code !== 0) listener.notice(`the client ended with exit code ${code ?? "none, by a signal"}`);
        return "client";
      }),
    );
  }
  if (durationMs !== undefined) {
    ends.push(
      pause(durationMs, ending.signal).then(
        (): End => {
          listener.notice(`${durationMs / 1000} s are over: the run ends here`);
          return "time";
        },
        (): End => "time",
      ),
    );
  }
  const finished = Promise.race(ends).then(async (end) => {
    ending.abort();
    if (end === "client") await pause(SETTLING_MS);
    const evidence = session.evidence(end === "client");
    await client?.stop();
    for (const check of checks) listener.checkEnded(check.id, examine(check, evidence, redact));
    return { requests: evidence.seen.length, faults: [] };
  });
  void tellWhenPlayed(session, listener, ending.signal, client === undefined);
  return { finished, stop };
}

/** Tells once that every scenario was met. */
async function tellWhenPlayed(
  { plan }: ClientSession,
  listener: RunListener,
  signal: AbortSignal,
  byHand: boolean,
): Promise<void> {
  const played = await poll(async () => (plan.left.length === 0 || signal.aborted ? true : undefined), {
    within: Number.POSITIVE_INFINITY,
    every: LOOK_MS,
  });
  if (played && !signal.aborted && byHand) {
    listener.notice("Every scenario has begun. Give the client time to finish its tries; Ctrl-C grades it.");
  }
}
