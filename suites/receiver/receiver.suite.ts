import { afterAll, inject, test } from "vitest";
import { CHECK_TIMEOUT_MS, registerChecks } from "../core/register-checks.ts";
import type { ReceiverCheck } from "./check.ts";
import { CheckRunner, orderOf } from "./check-runner.ts";
import { receiverChecks } from "./checks/index.ts";
import { ReceiverSession } from "./session/session.ts";
import type { ReceiverRun } from "./session/settings.ts";

declare module "vitest" {
  interface ProvidedContext {
    receiverRun: ReceiverRun;
  }
}

const { target, seed, selected: ids, wire } = inject("receiverRun");
const session = new ReceiverSession(target, { wire });
afterAll(() => session.close());

const selected = receiverChecks.filter(({ id }) => ids.includes(id));
const runner = new CheckRunner(session, selected, seed);

function register(check: ReceiverCheck): void {
  test(check.id, { timeout: CHECK_TIMEOUT_MS }, async ({ task }) => {
    task.meta.outcome = await runner.examine(check);
    task.meta.requests = session.requests;
  });
}

registerChecks(orderOf(selected), register);
