import { afterAll, describe, inject, test } from "vitest";
import type { Outcome } from "../core/outcome.ts";
import type { ReceiverCheck } from "./check.ts";
import { receiverChecks } from "./checks/index.ts";
import { examine } from "./run-check.ts";
import { ReceiverSession } from "./session/session.ts";
import type { ReceiverRun } from "./session/settings.ts";

declare module "vitest" {
  interface ProvidedContext {
    receiverRun: ReceiverRun;
  }
  interface TaskMeta {
    outcome?: Outcome;
    requests?: number;
  }
}

/** Slow receivers are waited for; one that hangs is ended by the session. */
const LONGEST_CHECK_MS = 1_800_000;

const run = inject("receiverRun");
const session = new ReceiverSession(run.target);
afterAll(() => session.close());

function register(check: ReceiverCheck): void {
  test(check.id, { timeout: LONGEST_CHECK_MS }, async ({ task }) => {
    task.meta.outcome = await examine(check, session, run.seed);
    task.meta.requests = session.requests;
  });
}

const selected = receiverChecks.filter(({ id }) => run.selected.includes(id));

for (const [name, members, concurrent] of [
  ["beside each other", selected.filter(({ alone }) => !alone), true],
  ["one at a time", selected.filter(({ alone }) => alone), false],
] as const) {
  // A group without tests would count as a fault.
  if (members.length > 0) {
    describe(name, { concurrent }, () => {
      for (const check of members) register(check);
    });
  }
}
