import { randomBytes } from "node:crypto";
import type { DeclarationName } from "../../../openapi/generated/declarations.ts";
import { DEFAULT_KINDS } from "../../core/contract/event-kinds.ts";
import type { Certification } from "../../core/grading/certification.ts";
import { certifyReceiver } from "../certify.ts";
import { receiverChecks } from "../checks/index.ts";
import { correctDependencies } from "../reference-receiver/dependencies.ts";
import { serveReceiver } from "../reference-receiver/serve.ts";
import { ANSWER_LIMIT_MS } from "../session/settings.ts";
import type { ReceiverVariant } from "../variants/variant.ts";

/** Starts a receiver, and certifies it. */
export async function certifyVariant(
  { mutate, options, query = "", statuses = {}, eventTypes = DEFAULT_KINDS }: Partial<ReceiverVariant>,
  without: readonly DeclarationName[],
  checks = receiverChecks,
): Promise<Certification> {
  const secret = `whsec_${randomBytes(32).toString("base64")}`;
  const deps = correctDependencies(secret);
  const receiver = await serveReceiver(mutate ? mutate(deps) : deps, options);
  try {
    const target = {
      url: `${receiver.url}${query}`,
      secret,
      effectsUrl: receiver.effectsUrl,
      eventTypes,
      statuses,
      answerMs: ANSWER_LIMIT_MS,
      limitMs: ANSWER_LIMIT_MS,
      returnMs: 1_000,
      effectMs: 30_000,
    };
    return await certifyReceiver(target, checks, { without });
  } finally {
    await receiver.close();
  }
}
