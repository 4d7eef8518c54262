import * as fc from "fast-check";
import { afterAll, beforeAll, inject, type TaskMeta, test } from "vitest";
import { curlCommand } from "../core/exchange.ts";
import { CHECK_TIMEOUT_MS, registerChecks, registerGroup } from "../core/register-checks.ts";
import { onStop } from "../core/stop-channel.ts";
import { type Check, isExperiment, isPassive } from "./check.ts";
import { orderOf } from "./check-order.ts";
import { CheckRunner } from "./check-runner.ts";
import { checks } from "./checks/index.ts";
import { PassiveObserver } from "./passive-observer.ts";
import { longestFirst } from "./rounds/rounds.ts";
import { outrunsTokens } from "./schedule.ts";
import { Session } from "./session/session.ts";
import type { RunSettings } from "./session/settings.ts";

declare module "vitest" {
  interface ProvidedContext {
    run: RunSettings;
  }
}

/** As many of the requests are shown that were under way when the target was lost. */
const MAX_LAST_REQUESTS = 3;

const INTERRUPTED = "the run was interrupted";

/** Said at once: a run that stands still for a while looks stuck. */
const WAITS_FOR_TOKENS =
  "the target sees one address, which may ask for 30 tokens a minute: the run may wait a minute or two for tokens";

const run = inject("run");
const selected = checks.filter(({ id }) => run.selected.includes(id));
const passive = selected.filter(isPassive);
const observer = new PassiveObserver(passive);
let session: Session | undefined;
let isInterrupted = false;
const tidying = new AbortController();
let isTidying = false;
/** A person ends the run: its checks, or else the tidying up after them. Told by two, and heard once. */
const interrupt = () => {
  if (isInterrupted) return;
  isInterrupted = true;
  if (isTidying) tidying.abort();
  else session?.transport.stop(INTERRUPTED);
};
const stopListening = onStop(interrupt);
let runner: CheckRunner | undefined;
/** This module, as its tests know it. */
let file: { readonly meta: TaskMeta } | undefined;

beforeAll(async () => {
  session = await Session.open(run.target, {
    notice: (text) => console.info(text),
    observe: (exchange) => observer.observe(exchange),
    wire: run.wire,
    receiver: experiments.some(({ needs }) => needs.includes("receiver")),
    seed: run.seed,
    tidiesUp: run.cleanUp,
  });
  if (isInterrupted) session.transport.stop(INTERRUPTED);
  if (session.isHeldUpByTokens && outrunsTokens(experiments)) console.info(WAITS_FOR_TOKENS);
  runner = new CheckRunner(session, experiments, run.seed);
}, CHECK_TIMEOUT_MS);

afterAll(async () => {
  if (!session) return stopListening();
  // The last request of the last check may have ended it.
  if (!isInterrupted) await session.isTargetUp();
  runner?.takeBackAbsences();
  isTidying = true;
  const cleanup = run.cleanUp ? await session.cleanUp({ isInterrupted, stopped: tidying.signal }) : undefined;
  const { targetLost, lastRequests } = session.transport;
  const { redact } = session;
  const { counts: repeated } = session.repeated;
  if (file)
    file.meta.summary = {
      requests: session.requests,
      ...(repeated.length > 0 && { repeated }),
      ...(session.outages.length > 0 && { outages: session.outages }),
      ...(session.turned.size > 0 && { turned: [...session.turned] }),
      ...(targetLost !== undefined && {
        targetLost: redact.text(targetLost),
        lastRequests: lastRequests.slice(0, MAX_LAST_REQUESTS).map((sent) => curlCommand(sent, redact)),
      }),
      ...(cleanup && { cleanup }),
    };
  await session.close();
  stopListening();
}, CHECK_TIMEOUT_MS);

/** No test runs where it couldn't be opened. */
function opened(): { readonly session: Session; readonly runner: CheckRunner } {
  if (!session || !runner) throw new Error("the session isn't open");
  return { session, runner };
}

const inOrder = (some: readonly Check[]): readonly Check[] =>
  run.shuffle
    ? (fc.sample(fc.shuffledSubarray([...some], { minLength: some.length }), {
        seed: run.seed,
        numRuns: 1,
      })[0] ?? some)
    : longestFirst(some);

function register(check: Check): void {
  test(check.id, { timeout: CHECK_TIMEOUT_MS }, async ({ task, signal }) => {
    const open = opened();
    file = task.file;
    signal.addEventListener("abort", interrupt);
    task.meta.outcome = await open.runner.examine(check);
    task.meta.requests = open.session.requests;
  });
}

const experiments = inOrder(selected.filter(isExperiment));

registerChecks(orderOf(experiments), register);
registerGroup("over all exchanges", passive, (check) => {
  test(check.id, ({ task }) => {
    const open = opened();
    task.meta.outcome = observer.outcome(check, open.session.redact, open.runner);
  });
});
