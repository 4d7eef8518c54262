import { randomBytes } from "node:crypto";
import { DEFAULT_KINDS } from "../../../suites/core/contract/event-kinds.ts";
import { outcomesOf } from "../../../suites/engine/events.ts";
import { run } from "../../../suites/engine/run.ts";
import { receiverChecks } from "../../../suites/receiver/checks/index.ts";
import { correctDependencies } from "../../../suites/receiver/reference-receiver/dependencies.ts";
import { serveReceiver } from "../../../suites/receiver/reference-receiver/serve.ts";
import { receiverTarget } from "../../../suites/receiver/run-target.ts";
import type { DeliveryRecord } from "../../../suites/receiver/session/delivery-record.ts";
import { ANSWER_LIMIT_MS } from "../../../suites/receiver/session/settings.ts";
import { shortened } from "../../certification/example-lines.ts";

/** The seed is fixed, so that --explain always shows the same example. */
const SEED = 1;

function line({ attempt, violates, reply }: DeliveryRecord): string {
  const purpose = violates === undefined ? "" : `   (invalid on purpose: ${violates})`;
  return `${attempt.kind}, ${attempt.body.length} bytes → ${reply?.status ?? "no response"}${purpose}`;
}

/**
 * Runs one check on a conforming receiver.
 * @returns a line for each sent event with its response; empty for an unknown id
 */
export async function runReceiverExample(id: string): Promise<readonly string[]> {
  const check = receiverChecks.find((one) => one.id === id);
  if (!check) return [];
  const secret = `whsec_${randomBytes(24).toString("base64")}`;
  const receiver = await serveReceiver(correctDependencies(secret));
  const lines: string[] = [];
  const target = receiverTarget(
    {
      url: receiver.url,
      secret,
      effectsUrl: receiver.effectsUrl,
      eventTypes: DEFAULT_KINDS,
      statuses: {},
      answerMs: ANSWER_LIMIT_MS,
      limitMs: ANSWER_LIMIT_MS,
      returnMs: 0,
      effectMs: 1_000,
    },
    { observe: (delivered) => lines.push(line(delivered)) },
  );
  try {
    await outcomesOf(run([check], target, { seed: SEED }));
  } finally {
    await receiver.close();
  }
  return shortened(lines);
}
