import { type Exchange, reportExchange } from "../core/exchange.ts";
import { CheckSkipped } from "../core/grading/failures/failure.ts";
import type { Outcome } from "../core/grading/outcome.ts";
import { Redactor } from "../core/text/redact.ts";
import { WIRE_BOUNDS, WireLog } from "../core/wire.ts";
import { outcomesOf } from "../engine/events.ts";
import { inSequence } from "../engine/order.ts";
import { type RunOptions, run } from "../engine/run.ts";
import type { CheckRun, OpenTarget, RunMode, RunStart, RunTarget } from "../engine/target.ts";
import type { ClientCheck } from "./check.ts";
import { runCheck } from "./run-check.ts";
import type { Evidence } from "./session/evidence.ts";
import { playStarts } from "./session/play-starts.ts";
import { exchangeOf } from "./session/request.ts";
import { scenarioOrder } from "./session/scenarios/scenarios.ts";
import { type ClientAccess, ClientSession, type ClientSessionOptions } from "./session/session.ts";
import { undecidedBy } from "./undecided.ts";

/**
 * All exchanges of the client for the report; empty if the client sent nothing. The report lists them only
 * once, because all checks judge the same requests.
 */
function wireOf({ requests, url }: Evidence, redact: Redactor): Pick<Outcome, "wire"> {
  const log = new WireLog<Exchange>();
  for (const exchange of requests.flatMap((one) => exchangeOf(one, url) ?? [])) log.add(exchange);
  const sent = log.exchanges.map((exchange) => reportExchange(exchange, redact, WIRE_BOUNDS));
  return sent.length > 0 ? { wire: sent } : {};
}

export interface PlayResult {
  readonly evidence: Evidence;
  /** Why there is no evidence. The report contains this reason once, and not for each check. */
  readonly silence?: string | undefined;
  /** Why the suite ended the run before the client exited. */
  readonly excess?: string | undefined;
}

/** Runs the client until the client exits, or until the signal aborts. */
export type Play = (start: Pick<RunStart<ClientCheck>, "notice" | "signal">) => Promise<PlayResult>;

interface ClientTargetOptions {
  readonly play: Play;
  /** Runs the client again, to confirm all failures together. Text if that is impossible: the reason. */
  readonly playAgain: Play | string;
  /** The maximum number of runs. Defaults to two, because a client's command may take long. */
  readonly maxRuns?: number;
  readonly redact: Redactor;
  /** True if the report includes all of the client's exchanges. */
  readonly wire?: boolean;
}

/** An API client as the target of a run. The client runs before the checks, which judge the evidence. */
export const clientTarget = (options: ClientTargetOptions): RunTarget<ClientCheck> => ({
  gradesWhenAborted: true,
  open: async ({ checks, ...start }) => new PlayedClient(options, checks, start, await options.play(start)),
});

/** A client that has run. Its evidence doesn't change, so only further runs of the client confirm failures. */
class PlayedClient implements OpenTarget<ClientCheck> {
  readonly order;
  readonly redact;
  readonly #options: ClientTargetOptions;
  readonly #checks: readonly ClientCheck[];
  readonly #start: Parameters<Play>[0];
  readonly #first: PlayResult;
  /** The runs of the client after the first run. */
  readonly #further: Promise<PlayResult>[] = [];
  #furtherRequests = 0;
  /** The number of further runs that each check has judged. */
  readonly #confirmations = new Map<ClientCheck, number>();

  constructor(
    options: ClientTargetOptions,
    checks: readonly ClientCheck[],
    start: Parameters<Play>[0],
    first: PlayResult,
  ) {
    this.#options = options;
    this.#checks = checks;
    this.#start = start;
    this.#first = first;
    this.order = inSequence(checks);
    this.redact = options.redact;
  }

  async runOnce(check: ClientCheck, { run }: Pick<RunMode, "run">): Promise<CheckRun> {
    const { wire = false } = this.#options;
    if (run === "first") {
      const end = this.#judge(check, this.#first);
      // Only the first check's result contains the exchanges, because all checks judge the same requests.
      const wired = wire && check === this.#checks[0] && wireOf(this.#first.evidence, this.redact);
      return { ...end, outcome: { ...end.outcome, ...wired } };
    }
    const judged = this.#confirmations.get(check) ?? 0;
    this.#confirmations.set(check, judged + 1);
    return this.#judge(check, await this.#again(judged));
  }

  lacksForAnotherRun(check: ClientCheck): string | undefined {
    const { playAgain, maxRuns = 2 } = this.#options;
    if (typeof playAgain === "string") return playAgain;
    const judged = this.#confirmations.get(check) ?? 0;
    if (judged + 1 >= maxRuns) return "the client's command was run twice";
    if (this.#further[judged]) return undefined;
    if (this.#start.signal.aborted) return "the run ended";
    return this.#first.excess;
  }

  /** @param index the number of further runs before this run */
  #again(index: number): Promise<PlayResult> {
    const { playAgain } = this.#options;
    if (typeof playAgain !== "function") throw new Error("the client doesn't run again");
    this.#further[index] ??= playAgain(this.#start).then((played) => {
      this.#furtherRequests += played.evidence.requests.length;
      return played;
    });
    return this.#further[index];
  }

  #judge(check: ClientCheck, { evidence, silence }: PlayResult): CheckRun {
    return runCheck(silence === undefined ? check : skipped(check, silence), evidence, this.redact);
  }

  summary() {
    const { evidence, excess } = this.#first;
    return {
      requests: evidence.requests.length + this.#furtherRequests,
      ...(excess !== undefined && { targetLost: excess }),
    };
  }

  async close(): Promise<void> {}
}

const skipped = (check: ClientCheck, why: string): ClientCheck => ({
  ...check,
  judge() {
    throw new CheckSkipped(why);
  },
});

export interface ClientRun
  extends Pick<ClientSessionOptions, "timeScale" | "clock" | "seed" | "startService">,
    Pick<RunOptions, "confirms"> {
  /** Runs one start of the client, until the client exits. */
  readonly client: (access: ClientAccess) => Promise<void>;
  readonly checks: readonly ClientCheck[];
  /** Names of the scenarios to play. */
  readonly scenarios: readonly string[];
}

/** Runs a client in this process through the scenarios, as often as the confirmation of failures requires. */
export function runClientChecks({
  client,
  checks,
  scenarios,
  confirms = true,
  ...options
}: ClientRun): Promise<ReadonlyMap<string, Outcome>> {
  const redact = new Redactor();
  const play = async (): Promise<PlayResult> => {
    const session = await ClientSession.open({
      ...options,
      port: 0,
      scenarios: scenarioOrder(options.seed, scenarios),
      redact,
      notice: () => {},
    });
    try {
      await playStarts(session, await session.openStart({ hasBegun: true }), {
        start: async (access) => {
          await client(access);
          return true;
        },
        undecided: undecidedBy(checks),
      });
      return { evidence: session.evidence() };
    } finally {
      await session.close();
    }
  };
  const target = clientTarget({ play, playAgain: play, maxRuns: Number.POSITIVE_INFINITY, redact });
  return outcomesOf(
    run(checks, target, { seed: options.seed, confirms, leastConfirmationMs: Number.POSITIVE_INFINITY }),
  );
}
