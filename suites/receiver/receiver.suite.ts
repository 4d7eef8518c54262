import { afterAll, inject, type TaskMeta, test } from "vitest";
import { CHECK_TIMEOUT_MS, registerChecks } from "../core/register-checks.ts";
import type { ReceiverCheck } from "./check.ts";
import { orderOf } from "./check-order.ts";
import { CheckRunner } from "./check-runner.ts";
import { receiverChecks } from "./checks/index.ts";
import { ReceiverSession } from "./session/session.ts";
import type { ReceiverRun } from "./session/settings.ts";

declare module "vitest" {
  interface ProvidedContext {
    receiverRun: ReceiverRun;
  }
}

const { target, seed, selected: ids, wire } = inject("receiverRun");
const outages: string[] = [];
/** This module, as its tests know it. */
let file: { readonly meta: TaskMeta } | undefined;
const session = new ReceiverSession(target, {
  wire,
  notice: (line) => {
    outages.push(line);
    console.info(line);
  },
});
afterAll(() => {
  session.close();
  if (file) file.meta.summary = { requests: session.requests, ...(outages.length > 0 && { outages }) };
});

const selected = receiverChecks.filter(({ id }) => ids.includes(id));
const runner = new CheckRunner(session, selected, seed);

function register(check: ReceiverCheck): void {
  test(check.id, { timeout: CHECK_TIMEOUT_MS }, async ({ task }) => {
    file = task.file;
    task.meta.outcome = await runner.examine(check);
    task.meta.requests = session.requests;
  });
}

registerChecks(orderOf(selected), register);
