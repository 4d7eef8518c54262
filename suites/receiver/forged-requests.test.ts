import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { DEFAULT_KINDS } from "../core/contract/event-kinds.ts";
import { certifyReceiver } from "./certify.ts";
import { receiverChecks } from "./checks/index.ts";
import type { Answer, ReceiverDependencies } from "./reference-receiver/dependencies.ts";
import { correctDependencies } from "./reference-receiver/dependencies.ts";
import { serveReceiver } from "./reference-receiver/serve.ts";
import { ANSWER_LIMIT_MS } from "./session/settings.ts";

/** All checks except those that last the whole run, which concern only repeated events. */
const shortChecks = receiverChecks.filter(({ wholeRun }) => !wholeRun);

/** The outcomes of checks on a receiver that gives another answer to requests that it has to refuse. */
async function endsWhere(
  instead: (expected: Answer, body: Buffer) => Answer,
  checks: typeof receiverChecks = shortChecks,
) {
  const secret = `whsec_${randomBytes(24).toString("base64")}`;
  const original = correctDependencies(secret);
  const refusal: ReceiverDependencies["refusal"] = (deps, request) => {
    const expected = original.refusal(deps, request);
    return expected === undefined ? expected : instead(expected, request.body);
  };
  const { url, effectsUrl, close } = await serveReceiver({ ...original, refusal });
  const limits = { answerMs: ANSWER_LIMIT_MS, limitMs: ANSWER_LIMIT_MS, returnMs: 500, effectMs: 500 };
  try {
    const target = { url, effectsUrl, secret, eventTypes: DEFAULT_KINDS, statuses: {}, ...limits };
    const { outcomes } = await certifyReceiver(target, checks);
    return [...outcomes].map(([id, outcome]) => ({ id, ...outcome }));
  } finally {
    await close();
  }
}

const forgedAre = (answer: Answer) => (expected: Answer) => (expected === 401 ? answer : expected);

/** Checks of genuine events. They send a forged event only to show that the receiver distinguishes it. */
const OF_GENUINE_EVENTS =
  /^(signatures\.(genuine|several|unknown-versions-beside)|(kinds|bodies|load|order|duplicates)\..*|headers\.(any-case|content-type)|freshness\..*)$/;

const wrong: readonly (readonly [answer: Answer, fault: string, message: RegExp])[] = [
  [
    500,
    "the receiver answers forged requests with 500 instead of 401",
    /^the receiver: expected status (?:400 or )?401, got 500 \(request was invalid on purpose: \w/,
  ],
  [
    400,
    "the receiver answers forged requests with 400 instead of 401",
    /^the receiver: expected status 401, got 400 \(request was invalid on purpose: \w/,
  ],
  [
    403,
    "the receiver answers forged requests with 403 instead of 401",
    /^the receiver: expected status (?:400 or )?401, got 403 \(request was invalid on purpose: \w/,
  ],
  [
    "close",
    "the receiver answers forged requests with a closed connection instead of 401",
    /^the receiver: expected status (?:400 or )?401, got a closed connection \(request was invalid on purpose: \w/,
  ],
];

describe("the same wrong response to all forged requests is one fault, and fails no check of genuine events", () => {
  for (const [answer, fault, message] of wrong) {
    test(`${answer}`, { concurrent: true }, async () => {
      const failed = (await endsWhere(forgedAre(answer))).filter(({ status }) => status !== "passed");
      expect(failed.map(({ id }) => id).filter((id) => OF_GENUINE_EVENTS.test(id))).toEqual([]);
      expect(failed.map(({ id }) => id)).toEqual(
        expect.arrayContaining(["signatures.other-keys", "tampering.body", "signatures.exact"]),
      );
      expect(new Set(failed.map((one) => one.fault))).toEqual(new Set([fault]));
      expect(failed.map((one) => one.message ?? "").filter((line) => !message.test(line))).toEqual([]);
    });
  }
});

test("if forged events are accepted, the check of their refusal blocks the checks that use them as negative controls", async () => {
  const ends = await endsWhere(forgedAre(204));
  const genuine = ends.filter(({ id }) => OF_GENUINE_EVENTS.test(id) && !/^(order|duplicates|load)/.test(id));
  expect(genuine.filter(({ status }) => status === "failed")).toEqual([]);
  expect(ends.find(({ id }) => id === "signatures.genuine")).toMatchObject({
    status: "blocked",
    blocked_by: "signatures.other-keys",
  });
  const failed = ends.filter(({ status }) => status === "failed");
  expect(failed.find(({ id }) => id === "signatures.other-keys")?.message).toBe(
    "the receiver: expected status 401, got 204: accepted as genuine (request was invalid on purpose: signed with an unrelated key)",
  );
  expect(new Set(failed.map(({ fault }) => fault))).toEqual(
    new Set(["the receiver answers forged requests with 204 instead of 401"]),
  );
});

test("if forged events are accepted and no check of the run tests that, accepting genuine events proves nothing", async () => {
  const [ended] = await endsWhere(
    forgedAre(204),
    receiverChecks.filter(({ id }) => id === "signatures.genuine"),
  );
  expect(ended).toMatchObject({
    status: "not_verified",
    message: expect.stringMatching(/accepts forged events too, .*--only signatures\.other-keys/),
  });
});

for (const [stale, fresh] of [
  ["old", "not-so-old"],
  ["future", "not-so-far-ahead"],
] as const) {
  const checks = receiverChecks.filter(
    ({ id }) => id === `freshness.${stale}` || id === `freshness.${fresh}`,
  );

  test(`freshness.${fresh} expects no particular status for stale events, and is blocked if they are accepted`, async () => {
    const endsBy = async (answer: Answer) =>
      Object.fromEntries((await endsWhere(() => answer, checks)).map(({ id, status }) => [id, status]));
    expect(await endsBy(500)).toEqual({ [`freshness.${stale}`]: "failed", [`freshness.${fresh}`]: "passed" });
    expect(await endsBy(204)).toEqual({
      [`freshness.${stale}`]: "failed",
      [`freshness.${fresh}`]: "blocked",
    });
  });
}

test("the same wrong response to all invalid requests is one fault", async () => {
  const failed = (await endsWhere(() => 500)).filter(({ status }) => status === "failed");
  expect(failed.map(({ id }) => id)).toEqual(
    expect.arrayContaining(["signatures.other-keys", "freshness.old", "headers.id-missing"]),
  );
  expect(new Set(failed.map(({ fault }) => fault))).toEqual(
    new Set(["the receiver answers forged, stale and incomplete requests with 500 instead of 401 or 400"]),
  );
});

test("a wrong response to stale requests only is their own fault", async () => {
  const failed = (
    await endsWhere(
      (expected) => (expected === 400 ? 401 : expected),
      receiverChecks.filter(({ id }) => /^(freshness|headers)/.test(id)),
    )
  ).filter(({ status }) => status === "failed");
  expect(failed.map(({ id }) => id)).toEqual(
    expect.arrayContaining(["freshness.old", "freshness.future", "headers.id-missing"]),
  );
  expect(new Set(failed.map(({ fault }) => fault))).toEqual(
    new Set(["the receiver answers stale and incomplete requests with 401 instead of 400"]),
  );
});

for (const answer of [200, 500]) {
  test(`${answer} to one kind of forged events isn't attributed to all forged events`, async () => {
    const ends = await endsWhere((expected, body) =>
      expected === 401 && body.includes('"delivery.picked_up"') ? answer : expected,
    );
    const failed = ends.filter(({ status }) => status !== "passed");
    expect(failed.map(({ id, fault, at }) => ({ id, fault, at }))).toEqual([
      {
        id: "tampering.any-kind",
        fault: undefined,
        at: expect.stringMatching(/^1 of \d+ event types: delivery\.picked_up; /),
      },
    ]);
  });
}
