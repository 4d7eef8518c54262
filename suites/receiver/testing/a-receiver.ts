import { randomBytes } from "node:crypto";
import { onTestFinished } from "vitest";
import { DEFAULT_KINDS } from "../../core/contract/event-kinds.ts";
import { correctDependencies, type ReceiverDependencies } from "../reference-receiver/dependencies.ts";
import { type ServeOptions, serveReceiver } from "../reference-receiver/serve.ts";
import type { ReceiverTarget } from "../session/settings.ts";

export const secret = `whsec_${randomBytes(24).toString("base64")}`;

/** A running reference receiver, by default a correct one. It is closed after the test. */
export async function aReceiver(
  mutate: (deps: ReceiverDependencies) => ReceiverDependencies = (deps) => deps,
  options: ServeOptions = {},
): Promise<ReceiverTarget> {
  const receiver = await serveReceiver(mutate(correctDependencies(secret)), options);
  onTestFinished(() => receiver.close());
  const limits = { answerMs: 15_000, limitMs: 15_000, returnMs: 5_000, effectMs: 1_000 };
  return {
    url: receiver.url,
    effectsUrl: receiver.effectsUrl,
    secret,
    eventTypes: DEFAULT_KINDS,
    statuses: {},
    ...limits,
  };
}
