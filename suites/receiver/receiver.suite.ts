import { afterAll, inject, test } from "vitest";
import { LONGEST_CHECK_MS, registerChecks } from "../core/register-checks.ts";
import { runOrder } from "../core/run-checks.ts";
import { type ReceiverCheck, runsAlone } from "./check.ts";
import { receiverChecks } from "./checks/index.ts";
import { examine } from "./run-check.ts";
import { ReceiverSession } from "./session/session.ts";
import type { ReceiverRun } from "./session/settings.ts";

declare module "vitest" {
  interface ProvidedContext {
    receiverRun: ReceiverRun;
  }
}

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

registerChecks(runOrder(selected, runsAlone), register);
