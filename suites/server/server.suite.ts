import * as fc from "fast-check";
import { afterAll, beforeAll, describe, inject, type TaskMeta, test } from "vitest";
import type { Ending } from "../core/cleanup-report.ts";
import type { Outcome } from "../core/outcome.ts";
import { type Check, isExperiment, isPassive } from "./check.ts";
import { checks } from "./checks/index.ts";
import { Watch } from "./passive-observer.ts";
import { examine } from "./run-check.ts";
import { Session } from "./session/session.ts";
import type { RunSettings } from "./session/settings.ts";

declare module "vitest" {
  interface ProvidedContext {
    run: RunSettings;
  }
  interface TaskMeta {
    /** How the check ended; read by the command's reporter. */
    outcome?: Outcome;
    /** Requests of the whole run up to here. */
    requests?: number;
    /** How the whole run ended: on the module. */
    ending?: Ending;
  }
}

/** A check may wait for the target's limits several times over; a run that hangs is ended by the person or CI. */
const LONGEST_CHECK_MS = 1_800_000;

const run = inject("run");
const selected = checks.filter(({ id }) => run.selected.includes(id));
const passive = selected.filter(isPassive);
const watch = new Watch(passive);
let session: Session | undefined;
/** This module, as its tests know it. */
let file: { readonly meta: TaskMeta } | undefined;

beforeAll(async () => {
  session = await Session.open(run.target, {
    notice: (text) => console.info(text),
    observe: (exchange) => watch.observe(exchange),
    receiver: experiments.some(({ needs }) => needs.includes("receiver")),
  });
}, LONGEST_CHECK_MS);

afterAll(async () => {
  if (!session) return;
  const tidied = run.tidy ? await session.tidyUp() : undefined;
  const { gone } = session.transport;
  if (file)
    file.meta.ending = {
      requests: session.requests,
      ...(gone !== undefined && { gone: session.redact.text(gone) }),
      ...(tidied && { tidied }),
    };
  await session.close();
}, LONGEST_CHECK_MS);

/** No test runs where it couldn't be opened. */
function opened(): Session {
  if (!session) throw new Error("the session isn't open");
  return session;
}

const inOrder = (some: readonly Check[]): readonly Check[] =>
  run.shuffle
    ? (fc.sample(fc.shuffledSubarray([...some], { minLength: some.length }), {
        seed: run.seed,
        numRuns: 1,
      })[0] ?? some)
    : some;

function register(check: Check): void {
  test(check.id, { timeout: LONGEST_CHECK_MS }, async ({ task, signal }) => {
    const open = opened();
    file = task.file;
    signal.addEventListener("abort", () => open.transport.stop("the run was interrupted"));
    task.meta.outcome = await examine(check, open, run.seed);
    task.meta.requests = open.requests;
  });
}

const experiments = inOrder(selected.filter(isExperiment));

/** A suite without tests would count as a fault. */
function group<T>(
  name: string,
  members: readonly T[],
  registerOne: (member: T) => void,
  concurrent = false,
): void {
  if (members.length === 0) return;
  describe(name, { concurrent }, () => {
    for (const member of members) registerOne(member);
  });
}

group(
  "beside each other",
  experiments.filter(({ alone }) => alone !== "last"),
  register,
  true,
);
group(
  "one at a time",
  experiments.filter(({ alone }) => alone === "last"),
  register,
);
group("over all exchanges", passive, (check) => {
  test(check.id, ({ task }) => {
    task.meta.outcome = watch.outcome(check, opened().redact);
  });
});
