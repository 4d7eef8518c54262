import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { startReferenceServer } from "../reference-server/embedded.ts";
import { certify } from "./certify.ts";
import { checks } from "./index.ts";
import { LOOPBACK_RECEIVER } from "./target/settings.ts";
import { variants } from "./variants/index.ts";
import { alterAnswers } from "./variants/proxy.ts";

/** A slow variant waits hundreds of milliseconds for each of thousands of answers. */
const LONGEST_MS = 300_000;

describe("legal servers that aren't like the reference are CONFORMANT", () => {
  for (const [name, { mutate, alter, warnings = [] }] of Object.entries(variants)) {
    test(name, { timeout: LONGEST_MS }, async () => {
      const controlToken = randomBytes(24).toString("base64url");
      const server = await startReferenceServer({ controlToken, ...(mutate && { mutate }) });
      const proxy = await alterAnswers(server.url, alter ?? (() => {}));
      try {
        const { grade, trouble } = await certify(
          {
            url: proxy.url,
            credentials: [],
            pairingCodes: [],
            control: { url: `${proxy.url}/control`, token: controlToken },
            receiver: LOOPBACK_RECEIVER,
            point: { lat: 41.0082, lng: 28.9784 },
            answerMs: 10_000,
            patienceMs: 0,
          },
          checks,
          { jobs: 16, claims: ["api", "courier", "time"] },
        );
        const unexpected = Object.entries(trouble).filter(([id]) => !warnings.includes(id));
        expect(unexpected).toEqual([]);
        expect(grade.verdict).toBe("CONFORMANT");
      } finally {
        await proxy.close();
        await server.close();
      }
    });
  }
});
