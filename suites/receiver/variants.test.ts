import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { certifyReceiver } from "./certify.ts";
import { correctParts } from "./reference-receiver/parts.ts";
import { serveReceiver } from "./reference-receiver/serve.ts";
import { ANSWER_LIMIT_MS } from "./session/settings.ts";
import { receiverVariants } from "./variants.ts";

const TIMEOUT_MS = 240_000;

describe("legal receivers, whatever they chose, are CONFORMANT", () => {
  for (const [name, { mutate, options, query = "", warnings = [], statuses = {} }] of Object.entries(
    receiverVariants,
  )) {
    test(name, { timeout: TIMEOUT_MS, concurrent: true }, async () => {
      const secret = `whsec_${randomBytes(32).toString("base64")}`;
      const parts = correctParts(secret);
      const receiver = await serveReceiver(mutate ? mutate(parts) : parts, options);
      try {
        const { grade, trouble } = await certifyReceiver({
          url: `${receiver.url}${query}`,
          secret,
          effectsUrl: receiver.effectsUrl,
          statuses,
          answerMs: ANSWER_LIMIT_MS,
          limitMs: ANSWER_LIMIT_MS,
          returnMs: 1_000,
          effectMs: 30_000,
        });
        expect(Object.entries(trouble).filter(([id]) => !warnings.includes(id))).toEqual([]);
        expect(Object.keys(trouble).toSorted()).toEqual(warnings.toSorted());
        expect(grade.verdict).toBe("CONFORMANT");
      } finally {
        await receiver.close();
      }
    });
  }
});
