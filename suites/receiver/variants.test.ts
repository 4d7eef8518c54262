import { describe, expect, test } from "vitest";
import { itemsToTry } from "../core/mutation/scope.ts";
import { receiverChecks } from "./checks/index.ts";
import { certifyVariant } from "./testing/certify-variant.ts";
import { receiverVariants } from "./variants.ts";

describe("receivers with other legal choices are CONFORMANT", () => {
  const tried = itemsToTry(Object.keys(receiverVariants));
  for (const [name, variant] of Object.entries(receiverVariants).filter(([name]) => tried.includes(name))) {
    const { warnings = [], without = [] } = variant;
    test(name, { concurrent: true }, async () => {
      const { grade, trouble } = await certifyVariant(variant, without);
      expect(Object.entries(trouble).filter(([id]) => !warnings.includes(id))).toEqual([]);
      expect(Object.keys(trouble).toSorted()).toEqual(warnings.toSorted());
      expect(grade.verdict).toBe("CONFORMANT");
    });
  }
});

test("a receiver that passes everything to the package gets two warnings, each with its own cause and fix", async () => {
  const { warnings = [], ...variant } = receiverVariants["verifies-as-the-package-is-documented"] ?? {};
  const checks = receiverChecks.filter(({ id }) => warnings.includes(id));
  const { outcomes } = await certifyVariant(variant, [], checks);
  expect(warnings.map((id) => outcomes.get(id)?.fault)).toEqual([
    expect.stringContaining("in Node with `if (!/^\\d+$/.test(timestamp)) return refuse(400)`"),
    expect.stringContaining("in Node with `if (!isUtf8(body)) return refuse(400)`"),
  ]);
});

const ordering = receiverChecks.filter(({ id }) => id.startsWith("order."));

test("a receiver that stores no deliveries is INCOMPLETE until it declares that", async () => {
  const { grade, trouble } = await certifyVariant(
    receiverVariants["keeps-no-deliveries"] ?? {},
    [],
    ordering,
  );
  expect(grade.levels.effects?.verdict).toBe("INCOMPLETE");
  expect(Object.keys(trouble)).toContain("order.late");
});

test("a receiver that declares that it stores no deliveries, but stores them, fails", async () => {
  const { grade, declarations } = await certifyVariant({}, ["stored-deliveries"], ordering);
  expect(grade.verdict).toBe("NONCONFORMANT");
  const [found] = declarations;
  expect(found?.disproved_by.map(({ check }) => check)).toContain("order.late");
});

const ofKinds = receiverChecks.filter(({ id }) => id.startsWith("kinds."));
const { mutate: refusesOthers } = receiverVariants["refuses-kinds-it-does-not-list"] ?? {};

test("a receiver that handles only some event types fails until it declares them", async () => {
  const { grade, trouble } = await certifyVariant(
    refusesOthers ? { mutate: refusesOthers } : {},
    [],
    ofKinds,
  );
  expect(grade.verdict).toBe("NONCONFORMANT");
  expect(Object.keys(trouble)).toContain("kinds.default");
});

test("a receiver that handles more event types than it declares fails", async () => {
  const { grade, declarations } = await certifyVariant(
    { eventTypes: ["delivery.assigned", "delivery.delivered"] },
    ["other-event-types"],
    ofKinds,
  );
  expect(grade.verdict).toBe("NONCONFORMANT");
  const [found] = declarations;
  expect(found?.disproved_by).toEqual([
    {
      check: "kinds.default",
      seen: expect.stringMatching(
        /^--event-types doesn't list delivery.created, .*, but events of these types took effect/,
      ),
    },
  ]);
});

test("a receiver that refuses a declared event type fails", async () => {
  const { trouble } = await certifyVariant(
    {
      ...(refusesOthers && { mutate: refusesOthers }),
      eventTypes: ["delivery.delivered", "delivery.returned"],
    },
    ["other-event-types"],
    ofKinds,
  );
  expect(trouble["kinds.listed"]).toMatch(/^failed: delivery.returned .*422/);
});
