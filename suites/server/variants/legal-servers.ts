import { randomBytes } from "node:crypto";
import { matchesGlob } from "node:path";
import { describe, expect, test } from "vitest";
import { startReferenceServer } from "../../../reference-server/embedded.ts";
import { CLAIMS } from "../../core/contract/claims.ts";
import type { Certification } from "../../core/grading/certification.ts";
import { itemsToTry } from "../../core/mutation/scope.ts";
import { certify } from "../certify.ts";
import { checks } from "../checks/index.ts";
import { MAX_JOBS } from "../schedule/schedule.ts";
import { LOOPBACK_RECEIVER, type TargetSettings } from "../session/sample-data/settings.ts";
import { variants } from "./index.ts";
import { startRewritingProxy } from "./proxy.ts";
import type { Variant } from "./variant.ts";

export const target = (url: string, controlToken: string): TargetSettings => ({
  url,
  credentials: [],
  pairingCodes: [],
  control: { url: `${url}/control`, token: controlToken },
  receiver: LOOPBACK_RECEIVER,
  point: { lat: 41.0082, lng: 28.9784 },
  answerMs: 30_000,
  maxWaitMs: 0,
});

/** Ids and messages of checks that didn't pass, except declared warnings. */
export const unexpectedTrouble = ({ trouble }: Certification, warnings: readonly string[]) =>
  Object.entries(trouble).filter(([id]) => !warnings.includes(id));

/** Variants with other timing. Each list has its own test file, and these run in parallel: the variants mostly wait. */
export const OTHER_TIMING: readonly [readonly string[], readonly string[]] = [
  ["verbose", "particular"],
  ["modest", "unpunctual", "slow"],
];

/** Certifies a variant behind its proxy. */
async function certifyVariant({
  mutate,
  rewrite,
  claims = CLAIMS,
  without = [],
  excludedChecks = [],
  eventualTimeoutMs,
}: Variant): Promise<Certification> {
  const tried = checks.filter(({ id }) => !excludedChecks.some((pattern) => matchesGlob(id, pattern)));
  const controlToken = randomBytes(24).toString("base64url");
  const server = await startReferenceServer({ controlToken, ...(mutate && { mutate }) });
  const proxy = await startRewritingProxy(server.url, rewrite ?? (() => {}));
  try {
    const settings = { ...target(proxy.url, controlToken), ...(eventualTimeoutMs && { eventualTimeoutMs }) };
    return await certify(settings, tried, { jobs: MAX_JOBS, claims, without });
  } finally {
    await proxy.close();
    await server.close();
  }
}

/** Registers a test for each selected variant; in a quick run, for a random one. */
export function testLegalServers(isChosen: (name: string) => boolean): void {
  const tried = itemsToTry(Object.keys(variants).filter(isChosen));
  describe("conforming servers that differ from the reference server are CONFORMANT", () => {
    for (const [name, variant] of Object.entries(variants).filter(([name]) => tried.includes(name))) {
      const { warnings = [] } = variant;
      // One after another, because concurrent runs would delay each other, and checks measure seconds.
      test(name, async () => {
        const certification = await certifyVariant(variant);
        expect(unexpectedTrouble(certification, warnings)).toEqual([]);
        expect(Object.keys(certification.trouble).toSorted(), "the warnings").toEqual(warnings.toSorted());
        expect(certification.grade.verdict).toBe("CONFORMANT");
      });
    }
  });
}
