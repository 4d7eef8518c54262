import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { DeclarationName } from "../../openapi/generated/declarations.ts";
import { DEFAULT_KINDS } from "../core/contract/event-kinds.ts";
import { certifyReceiver } from "./certify.ts";
import { receiverChecks } from "./checks/index.ts";
import { correctParts } from "./reference-receiver/parts.ts";
import { serveReceiver } from "./reference-receiver/serve.ts";
import { ANSWER_LIMIT_MS } from "./session/settings.ts";
import type { ReceiverVariant } from "./variants/variant.ts";
import { receiverVariants } from "./variants.ts";

/** Certifies a receiver that is made anew. */
async function certify(
  { mutate, options, query = "", statuses = {}, eventTypes = DEFAULT_KINDS }: Partial<ReceiverVariant>,
  without: readonly DeclarationName[],
  checks = receiverChecks,
) {
  const secret = `whsec_${randomBytes(32).toString("base64")}`;
  const parts = correctParts(secret);
  const receiver = await serveReceiver(mutate ? mutate(parts) : parts, options);
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

describe("legal receivers, whatever they chose, are CONFORMANT", () => {
  for (const [name, variant] of Object.entries(receiverVariants)) {
    const { warnings = [], without = [] } = variant;
    test(name, { concurrent: true }, async () => {
      const { grade, trouble } = await certify(variant, without);
      expect(Object.entries(trouble).filter(([id]) => !warnings.includes(id))).toEqual([]);
      expect(Object.keys(trouble).toSorted()).toEqual(warnings.toSorted());
      expect(grade.verdict).toBe("CONFORMANT");
    });
  }
});

const ordering = receiverChecks.filter(({ id }) => id.startsWith("order."));

test("a receiver that keeps no deliveries is INCOMPLETE until that is declared", async () => {
  const { grade, trouble } = await certify(receiverVariants["keeps-no-deliveries"] ?? {}, [], ordering);
  expect(grade.levels.effects?.verdict).toBe("INCOMPLETE");
  expect(Object.keys(trouble)).toContain("order.late");
});

test("one that is declared to keep no deliveries, and keeps them, fails", async () => {
  const { grade, declarations } = await certify({}, ["held-deliveries"], ordering);
  expect(grade.verdict).toBe("NONCONFORMANT");
  const [found] = declarations;
  expect(found?.disproved_by.map(({ check }) => check)).toContain("order.late");
});

const ofKinds = receiverChecks.filter(({ id }) => id.startsWith("kinds."));
const { mutate: refusesOthers } = receiverVariants["refuses-kinds-it-does-not-list"] ?? {};

test("a receiver that handles some kinds alone fails until they are named", async () => {
  const { grade, trouble } = await certify(refusesOthers ? { mutate: refusesOthers } : {}, [], ofKinds);
  expect(grade.verdict).toBe("NONCONFORMANT");
  expect(Object.keys(trouble)).toContain("kinds.default");
});

test("one that is said to handle some kinds alone, and handles others, fails", async () => {
  const { grade, declarations } = await certify(
    { eventTypes: ["delivery.assigned", "delivery.delivered"] },
    ["other-kinds"],
    ofKinds,
  );
  expect(grade.verdict).toBe("NONCONFORMANT");
  const [found] = declarations;
  expect(found?.disproved_by).toEqual([
    { check: "kinds.default", seen: expect.stringMatching(/^delivery.created, .* took effect: name/) },
  ]);
});

test("one that refuses a kind that it is said to handle fails", async () => {
  const { trouble } = await certify(
    {
      ...(refusesOthers && { mutate: refusesOthers }),
      eventTypes: ["delivery.delivered", "delivery.returned"],
    },
    ["other-kinds"],
    ofKinds,
  );
  expect(trouble["kinds.listed"]).toMatch(/^failed: delivery.returned .* was answered with 422/);
});
