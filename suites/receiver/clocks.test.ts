import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { DEFAULT_KINDS } from "../core/contract/event-kinds.ts";
import { certifyReceiver } from "./certify.ts";
import { receiverChecks } from "./checks/index.ts";
import { correctDependencies, type ReceiverDependencies } from "./reference-receiver/dependencies.ts";
import { serveReceiver } from "./reference-receiver/serve.ts";
import { ANSWER_LIMIT_MS } from "./session/settings.ts";

const checks = receiverChecks.filter(({ id }) => /^(signatures\.genuine|freshness\..*)$/.test(id));

/** Runs the checks of the age of attempts on a receiver with changed dependencies. */
async function certify(change: (original: ReceiverDependencies) => Partial<ReceiverDependencies>) {
  const secret = `whsec_${randomBytes(24).toString("base64")}`;
  const original = correctDependencies(secret);
  const { url, effectsUrl, close } = await serveReceiver({ ...original, ...change(original) });
  const limits = { answerMs: ANSWER_LIMIT_MS, limitMs: ANSWER_LIMIT_MS, returnMs: 500, effectMs: 500 };
  try {
    const target = { url, effectsUrl, secret, eventTypes: DEFAULT_KINDS, statuses: {}, ...limits };
    const { outcomes } = await certifyReceiver(target, checks);
    return [...outcomes].flatMap(([id, { status, message = "", fault }]) =>
      status === "failed" ? [{ id, message, fault }] : [],
    );
  } finally {
    await close();
  }
}

const aheadBy = (seconds: number) => (original: ReceiverDependencies) => ({
  now: () => original.now() + seconds,
});

const far: readonly (readonly [seconds: number, told: RegExp])[] = [
  [-600, /clock is behind this machine's, by about 10 minutes \(set the clock/],
  [305, /clock is ahead of this machine's, by about 5 minutes \(set the clock/],
  [3_000, /clock is ahead of this machine's, by about 50 minutes \(set the clock/],
  [3 * 3_600, /clock is ahead of this machine's, by about 3 hours \(a time zone\?/],
  [-12_600, /clock is behind this machine's, by about 3\.5 hours \(a time zone\?/],
];
for (const [seconds, told] of far) {
  test(`a receiver whose clock is ${seconds} s ahead accepts no event, and the report names its clock`, async () => {
    const failed = await certify(aheadBy(seconds));
    expect(failed.map(({ id }) => id)).toEqual(["signatures.genuine"]);
    expect(failed[0]?.message).toMatch(/: expected status 2xx, got 400: the receiver's clock/);
    expect(failed[0]?.message).toMatch(told);
  });
}

const near: readonly (readonly [seconds: number, fails: readonly string[]])[] = [
  [-240, ["freshness.old", "freshness.not-so-far-ahead", "freshness.known-events"]],
  [240, ["freshness.future", "freshness.not-so-old"]],
];
for (const [seconds, fails] of near) {
  test(`a clock that is ${seconds} s ahead is reported as one cause for all old and future events`, async () => {
    const failed = await certify(aheadBy(seconds));
    const side = seconds < 0 ? "behind" : "ahead of";
    expect(failed.map(({ id }) => id)).toEqual(fails);
    for (const { message, fault } of failed) {
      expect(fault).toBe(`the receiver's clock is ${side} this machine's`);
      expect(message).toContain(": the receiver's clock");
      expect(message).toMatch(/, by about 4 minutes \(/);
    }
  });
}

const tolerances: Readonly<Record<string, (difference: number) => boolean>> = {
  "is too wide": (difference) => Math.abs(difference) > 900,
  "is too narrow": (difference) => Math.abs(difference) > 100,
  "has no bound in the future": (difference) => difference > 300,
};
for (const [how, isStale] of Object.entries(tolerances)) {
  test(`a tolerance that ${how} isn't attributed to the clock`, async () => {
    const failed = await certify(() => ({ isStale: (sentAt, now) => isStale(now - sentAt) }));
    expect(failed.length).toBeGreaterThan(0);
    expect(failed.filter(({ message, fault }) => fault !== undefined || message.includes("clock"))).toEqual(
      [],
    );
  });
}
