import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { DEFAULT_KINDS } from "../core/contract/event-kinds.ts";
import { certifyReceiver } from "./certify.ts";
import { receiverChecks } from "./checks/index.ts";
import type { Answer, ReceiverParts } from "./reference-receiver/parts.ts";
import { correctParts } from "./reference-receiver/parts.ts";
import { serveReceiver } from "./reference-receiver/serve.ts";
import { ANSWER_LIMIT_MS } from "./session/settings.ts";

/** One that lasts as long as a run has to do with repeats alone. */
const shortChecks = receiverChecks.filter(({ wholeRun }) => !wholeRun);

/** How checks end on a receiver that answers what it has to refuse with something else. */
async function endsWhere(
  instead: (due: Answer, body: Buffer) => Answer,
  checks: typeof receiverChecks = shortChecks,
) {
  const secret = `whsec_${randomBytes(24).toString("base64")}`;
  const right = correctParts(secret);
  const refusal: ReceiverParts["refusal"] = (parts, request) => {
    const due = right.refusal(parts, request);
    return due === undefined ? due : instead(due, request.body);
  };
  const { url, effectsUrl, close } = await serveReceiver({ ...right, refusal });
  const limits = { answerMs: ANSWER_LIMIT_MS, limitMs: ANSWER_LIMIT_MS, returnMs: 500, effectMs: 500 };
  try {
    const target = { url, effectsUrl, secret, eventTypes: DEFAULT_KINDS, statuses: {}, ...limits };
    const { outcomes } = await certifyReceiver(target, checks);
    return [...outcomes].map(([id, outcome]) => ({ id, ...outcome }));
  } finally {
    await close();
  }
}

const forgedAre = (answer: Answer) => (due: Answer) => (due === 401 ? answer : due);

const wrong: readonly (readonly [answer: Answer, fault: string, message: RegExp])[] = [
  [
    500,
    "the receiver answers forged requests with 500 in place of 401",
    /^answered 500 where (?:400 or )?401 was due: \w/,
  ],
  [
    400,
    "the receiver answers forged requests with 400 in place of 401",
    /^answered 400 where 401 was due: \w/,
  ],
  [
    403,
    "the receiver answers forged requests with 403 in place of 401",
    /^answered 403 where (?:400 or )?401 was due: \w/,
  ],
  [
    "close",
    "the receiver answers forged requests with a closed connection in place of 401",
    /^the receiver closed the connection without an answer where (?:400 or )?401 was due: \w/,
  ],
];

describe("a wrong answer to all forged requests is one fault", () => {
  for (const [answer, fault, message] of wrong) {
    test(`${answer}`, { concurrent: true }, async () => {
      const failed = (await endsWhere(forgedAre(answer))).filter(({ status }) => status !== "passed");
      expect(failed.map(({ id }) => id)).toEqual(
        expect.arrayContaining(["signatures.other-keys", "tampering.body", "signatures.exact"]),
      );
      expect(new Set(failed.map((one) => one.fault))).toEqual(new Set([fault]));
      expect(failed.map((one) => one.message ?? "").filter((line) => !message.test(line))).toEqual([]);
    });
  }
});

test("one wrong answer to all that has to be refused is one fault", async () => {
  const failed = (await endsWhere(() => 500)).filter(({ status }) => status === "failed");
  expect(failed.map(({ id }) => id)).toEqual(
    expect.arrayContaining(["signatures.other-keys", "freshness.old", "headers.id-missing"]),
  );
  expect(new Set(failed.map(({ fault }) => fault))).toEqual(
    new Set(["the receiver answers forged, stale and incomplete requests with 500 in place of 401 or 400"]),
  );
});

test("one wrong answer to stale requests alone is a fault of these", async () => {
  const failed = (
    await endsWhere(
      (due) => (due === 400 ? 401 : due),
      receiverChecks.filter(({ id }) => /^(freshness|headers)/.test(id)),
    )
  ).filter(({ status }) => status === "failed");
  expect(failed.map(({ id }) => id)).toEqual(
    expect.arrayContaining(["freshness.old", "freshness.future", "headers.id-missing"]),
  );
  expect(new Set(failed.map(({ fault }) => fault))).toEqual(
    new Set(["the receiver answers stale and incomplete requests with 401 in place of 400"]),
  );
});

for (const answer of [200, 500]) {
  test(`${answer} to forged events of one kind isn't put down to all forged ones`, async () => {
    const ends = await endsWhere((due, body) =>
      due === 401 && body.includes('"delivery.picked_up"') ? answer : due,
    );
    const failed = ends.filter(({ status }) => status !== "passed");
    expect(failed.map(({ id, fault, at }) => ({ id, fault, at }))).toEqual([
      {
        id: "tampering.any-kind",
        fault: undefined,
        at: expect.stringMatching(/^1 of \d+ kinds of events: delivery\.picked_up; /),
      },
    ]);
  });
}
