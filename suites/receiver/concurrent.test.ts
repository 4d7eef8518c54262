import { randomBytes } from "node:crypto";
import { afterEach, expect, test } from "vitest";
import { DEFAULT_KINDS } from "../core/contract/event-kinds.ts";

import { outcomesOf } from "../engine/events.ts";
import { run } from "../engine/run.ts";
import { receiverChecks } from "./checks/index.ts";
import { refusingMutants } from "./mutants/refusing.ts";
import { correctDependencies, type ReceiverDependencies } from "./reference-receiver/dependencies.ts";
import { serveReceiver } from "./reference-receiver/serve.ts";
import { receiverTarget } from "./run-target.ts";
import { ANSWER_LIMIT_MS } from "./session/settings.ts";

const AT_ONCE = 16;

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

/** Runs checks with concurrent deliveries, and returns those that didn't pass. */
async function certifyConcurrently(
  mutate: (deps: ReceiverDependencies) => ReceiverDependencies,
  { backAfterMs, ids = /./ }: { readonly backAfterMs?: number; readonly ids?: RegExp } = {},
): Promise<Readonly<Record<string, { readonly status: string; readonly message: string | undefined }>>> {
  const secret = `whsec_${randomBytes(24).toString("base64")}`;
  const receiver = await serveReceiver(
    mutate(correctDependencies(secret)),
    backAfterMs === undefined ? {} : { backAfterMs },
  );
  open.push(() => receiver.close());
  const target = {
    url: receiver.url,
    effectsUrl: receiver.effectsUrl,
    secret,
    eventTypes: DEFAULT_KINDS,
    statuses: {},
    answerMs: ANSWER_LIMIT_MS,
    limitMs: ANSWER_LIMIT_MS,
    returnMs: backAfterMs === undefined ? 100 : 5_000,
    effectMs: 30_000,
  };
  const checks = receiverChecks.filter(({ id }) => ids.test(id));
  const outcomes = await outcomesOf(
    run(checks, receiverTarget(target, { atOnce: AT_ONCE }), { jobs: AT_ONCE }),
  );
  return Object.fromEntries(
    [...outcomes]
      .filter(([, { status }]) => status !== "passed")
      .map(([id, { status, message }]) => [id, { status, message }]),
  );
}

test("a conforming receiver passes each check, with concurrent deliveries", async () => {
  let inFlight = 0;
  let most = 0;
  const trouble = await certifyConcurrently((deps) => ({
    ...deps,
    async receive(own, state, request) {
      inFlight += 1;
      most = Math.max(most, inFlight);
      await new Promise((resolve) => setImmediate(resolve));
      inFlight -= 1;
      return deps.receive(own, state, request);
    },
  }));
  expect(trouble).toEqual({});
  expect(most).toBeGreaterThan(AT_ONCE / 2);
});

test("if a signature stops a receiver that restarts, the check runs sequentially and names the signature", async () => {
  const { mutate } = refusingMutants["exits-on-non-ascii-signatures"];
  expect(await certifyConcurrently(mutate, { backAfterMs: 100, ids: /^(survival|kinds)\./ })).toEqual({
    "survival.letters": {
      status: "failed",
      message: expect.stringMatching(
        /^the receiver went down: after delivery\.\w+ \(the signature is in Latin-1\), webhook-id \S+ nothing listened/,
      ),
    },
  });
});

test("if a signature stops a receiver for good, the clause of the pending requests fails", async () => {
  const { mutate } = refusingMutants["exits-on-non-ascii-signatures"];
  const trouble = await certifyConcurrently(mutate, { ids: /^(survival|kinds)\./ });
  expect(trouble["survival.letters"]).toEqual({
    status: "failed",
    message: expect.stringMatching(/^the receiver went down: after .* nothing listened at its address/),
  });
  expect(trouble["survival.forged-bodies"]?.status).toBe("not_verified");
  expect(Object.keys(trouble)).not.toContain("kinds.listed");
});
