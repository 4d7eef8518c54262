import { randomBytes } from "node:crypto";
import { afterEach, expect, test } from "vitest";
import { pause } from "../../core/clock.ts";
import { DEFAULT_KINDS } from "../../core/contract/event-kinds.ts";
import { certifyReceiver } from "../certify.ts";
import type { ReceiverCheck } from "../check.ts";
import { receiverChecks } from "../checks/index.ts";
import { correctDependencies, type ReceiverDependencies } from "../reference-receiver/dependencies.ts";
import { serveReceiver } from "../reference-receiver/serve.ts";
import { ANSWER_LIMIT_MS, type ReceiverTarget } from "./settings.ts";

/** Milliseconds that each request takes at a receiver that is easily busy. */
const BUSY_MS = 30;

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

/** Starts a conforming receiver behind a proxy that answers some requests itself. */
async function behind(
  answer: (original: () => Promise<number>, served: number) => Promise<number>,
): Promise<{ readonly target: ReceiverTarget; readonly served: () => number }> {
  const secret = `whsec_${randomBytes(24).toString("base64")}`;
  const deps = correctDependencies(secret);
  let served = 0;
  const receive: ReceiverDependencies["receive"] = (own, state, request) => {
    served += 1;
    return answer(async () => Number(await deps.receive(own, state, request)), served);
  };
  const { url, effectsUrl, close } = await serveReceiver({ ...deps, receive });
  open.push(close);
  const limits = { answerMs: ANSWER_LIMIT_MS, limitMs: ANSWER_LIMIT_MS, returnMs: 500, effectMs: 500 };
  const target = { url, effectsUrl, secret, eventTypes: DEFAULT_KINDS, statuses: {}, ...limits };
  return { target, served: () => served };
}

async function statusesOf(target: ReceiverTarget, checks: readonly ReceiverCheck[] = receiverChecks) {
  const { outcomes, grade } = await certifyReceiver(target, checks);
  const by = Map.groupBy(outcomes, ([, { status }]) => status);
  return { failed: by.get("failed") ?? [], blocked: by.get("blocked") ?? [], outcomes, grade };
}

test("a receiver that answers 429 after a hundred requests fails once, and gets no more requests", async () => {
  const { target, served } = await behind(async (original, count) => (count > 100 ? 429 : original()));
  const { failed, blocked, grade } = await statusesOf(target);
  const musts = failed.filter(([, { message }]) => message?.startsWith("since about request "));
  expect(failed).toEqual(musts);
  expect(blocked.length).toBeGreaterThan(50);
  expect(new Set(blocked.map(([, { blocked_by }]) => blocked_by)).size).toBe(1);
  expect(grade.verdict).toBe("NONCONFORMANT");
  expect(served()).toBeLessThan(130);
});

test("a receiver that bans the sender of forged events: the report says since when, and no recipe is searched for", async () => {
  let bad = 0;
  let banned = 0;
  const { target } = await behind(async (original) => {
    if (bad > 20) {
      banned += 1;
      return 403;
    }
    const status = await original();
    if (status === 401) bad += 1;
    return status;
  });
  const { failed, grade } = await statusesOf(target);
  for (const [, { message }] of failed) {
    expect(message).toMatch(
      /^since about request \d+ of this run the receiver answers every request with 403, even genuine events, .*: a rate limit, or a ban/,
    );
  }
  expect(new Set(failed.map(([, { fault }]) => fault)).size).toBe(1);
  expect(grade.verdict).toBe("NONCONFORMANT");
  expect(banned).toBeLessThan(40);
});

test("a ban found by a SHOULD check is reported by a MUST check too", async () => {
  const first = receiverChecks.filter(({ id }) => id === "signatures.genuine");
  const original = await behind((answer) => answer());
  await statusesOf(original.target, first);
  const banned = await behind(async (answer, count) => (count > original.served() ? 403 : answer()));
  const after = receiverChecks.filter(({ id }) => ["duplicates.responses", "survival.lengths"].includes(id));
  const { failed, grade } = await statusesOf(banned.target, [...first, ...after]);
  expect(failed.map(([id]) => id)).toEqual(["duplicates.responses", "survival.lengths"]);
  expect(grade.verdict).toBe("NONCONFORMANT");
});

test("a receiver that answers 429 only to concurrent requests isn't reported as refusing all requests", async () => {
  let inFlight = 0;
  const { target } = await behind(async (original) => {
    inFlight += 1;
    const isBusy = inFlight > 9;
    await pause(BUSY_MS);
    const status = isBusy ? 429 : await original();
    inFlight -= 1;
    return status;
  });
  const ids = ["signatures.genuine", "load.concurrent-events", "survival.lengths"];
  const { failed, blocked } = await statusesOf(
    target,
    receiverChecks.filter(({ id }) => ids.includes(id)),
  );
  expect(failed.map(([id, { message }]) => [id, message])).toEqual([
    [
      "load.concurrent-events",
      expect.stringMatching(
        /^expected the number of accepted events of 50 concurrent events to be 50, got \d+: /,
      ),
    ],
  ]);
  expect(blocked).toEqual([]);
});

test("a receiver that answers forged events with 403 gets a genuine event, and the run continues", async () => {
  const { target } = await behind(async (original) => {
    const status = await original();
    return status === 401 ? 403 : status;
  });
  const { failed, blocked } = await statusesOf(
    target,
    receiverChecks.filter(({ id }) => /^(signatures|survival)\./.test(id)),
  );
  expect(failed.length).toBeGreaterThan(5);
  expect(failed.map(([, { message }]) => message).join()).not.toContain("since about request");
  expect(blocked).toEqual([]);
});
