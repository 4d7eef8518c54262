import { describe, expect, test } from "vitest";
import { listenAgain } from "../../../core/http/steady-port.ts";
import { run } from "../../../engine/run.ts";
import { certifyReceiver } from "../../certify.ts";
import { receiverChecks } from "../../checks/index.ts";
import { refusingMutants } from "../../mutants/refusing.ts";
import type { IncomingRequest } from "../../reference-receiver/dependencies.ts";
import { receiverTarget } from "../../run-target.ts";
import { aReceiver } from "../../testing/a-receiver.ts";
import type { ReceiverTarget } from "../settings.ts";

describe("if a receiver stops", () => {
  const dying = refusingMutants["exits-on-non-ascii-signatures"].mutate;

  test("and restarts, the crash is reported at its request, and the other clauses are verified", async () => {
    const target = await aReceiver(dying, { backAfterMs: 500 });
    const { outcomes, trouble } = await certifyReceiver(target);
    expect(Object.keys(trouble)).toEqual(["survival.letters"]);
    expect(outcomes.get("survival.letters")).toMatchObject({
      message: expect.stringMatching(
        /^the receiver went down: after delivery\.\w+ \(the signature is .*\), webhook-id \S+ nothing listened at its address; it came back/,
      ),
      confirmation:
        "the receiver went down at delivery.assigned (the signature is in Latin-1) in each of 3 runs",
    });
  });

  test("for good, later checks are skipped, with the reason", async () => {
    const target = { ...(await aReceiver(dying)), returnMs: 100 };
    const { outcomes } = await certifyReceiver(
      target,
      receiverChecks.filter(({ id }) => id.startsWith("survival.")),
    );
    expect(outcomes.get("survival.letters")?.status).toBe("failed");
    expect(outcomes.get("survival.forged-bodies")).toMatchObject({
      status: "not_verified",
      message: expect.stringMatching(
        /^the receiver went down at delivery\.\w+ \(the signature is .*\), webhook-id \S+ and did not come back within 0\.1 s$/,
      ),
    });
  });

  test("once, at a request that gets a response in the next run, no check fails", async () => {
    let downs = 0;
    const target = await aReceiver(
      (deps) => {
        const dies = dying(deps);
        return {
          ...dies,
          async receive(own, state, request) {
            const answer = await dies.receive(own, state, request);
            if (answer !== "die") return answer;
            downs += 1;
            return downs === 1 ? "die" : deps.receive(deps, state, request);
          },
        };
      },
      { backAfterMs: 100 },
    );
    const { trouble } = await certifyReceiver(
      target,
      receiverChecks.filter(({ id }) => id === "survival.letters"),
    );
    expect(downs).toBeGreaterThan(1);
    expect(trouble).toEqual({});
  });

  test("once, at one of many concurrent requests, these are sent again, and no check fails", async () => {
    let left = 20;
    const target = await aReceiver(
      (deps) => ({
        ...deps,
        receive: async (own, state, request) =>
          --left === 0 ? ("die" as const) : deps.receive(own, state, request),
      }),
      { backAfterMs: 100 },
    );
    const { trouble } = await certifyReceiver(
      target,
      receiverChecks.filter(({ id }) => id === "load.concurrent-events"),
    );
    expect(left).toBeLessThan(0);
    expect(trouble).toEqual({});
  });

  test("for good at a truncated signature, only the check that sent it fails", async () => {
    const target = {
      ...(await aReceiver(refusingMutants["exits-on-signatures-of-another-length"].mutate)),
      returnMs: 100,
    };
    const { outcomes } = await certifyReceiver(
      target,
      receiverChecks.filter(({ id }) => ["survival.lengths", "kinds.default"].includes(id)),
    );
    expect(outcomes.get("kinds.default")?.status).toBe("passed");
    expect(outcomes.get("survival.lengths")).toMatchObject({
      status: "failed",
      message: expect.stringMatching(
        /^the receiver went down: after delivery\.\w+ \(the signature is .*\), webhook-id \S+ nothing listened/,
      ),
    });
  });

  test("while several checks run, only the check that sent the request fails", async () => {
    const target = await aReceiver(refusingMutants["exits-on-signatures-of-another-length"].mutate, {
      backAfterMs: 20,
    });
    const { trouble } = await certifyReceiver(target);
    expect(Object.keys(trouble).toSorted(), Object.values(trouble).join("\n")).toEqual([
      "signatures.other-algorithms",
      "signatures.whole-digest",
      "survival.forms",
      "survival.lengths",
      "survival.letters",
    ]);
  });
});

describe("if a receiver stops after its response and restarts", () => {
  /**
   * A receiver that stops right after its response to a request selected by `isSuch`, and restarts at the same
   * port.
   */
  async function endingAfter(
    isSuch: (request: IncomingRequest) => boolean,
    returns = Number.POSITIVE_INFINITY,
  ): Promise<ReceiverTarget> {
    let ends = false;
    let left = returns;
    return aReceiver(
      (deps) => ({
        ...deps,
        receive(own, state, request) {
          ends = isSuch(request);
          return deps.receive(own, state, request);
        },
      }),
      {
        prepare: (response, server) =>
          response.once("finish", () => {
            if (!ends) return;
            ends = false;
            const address = server.address();
            const port = typeof address === "object" ? address?.port : undefined;
            server.close();
            server.closeAllConnections();
            if (left-- > 0 && port !== undefined)
              setTimeout(() => listenAgain(server, port, () => false), 500);
          }),
      },
    );
  }
  const isCut = ({ headers }: IncomingRequest) => /^v1,.{0,42}$/.test(headers["webhook-signature"] ?? "");

  test("each time after a truncated signature, the check that sent it fails, with the signature and the response", async () => {
    const { trouble, outcomes } = await certifyReceiver(
      await endingAfter(isCut),
      receiverChecks.filter(({ id }) =>
        ["signatures.whole-digest", "survival.lengths", "kinds.default"].includes(id),
      ),
    );
    expect(Object.keys(trouble).toSorted()).toEqual(["signatures.whole-digest", "survival.lengths"]);
    expect(outcomes.get("survival.lengths")).toMatchObject({
      status: "failed",
      message: expect.stringMatching(
        /^the receiver answered delivery\.\w+ \(the signature is zero bytes long\), webhook-id \S+ with 401 and went down; it came back/,
      ),
      confirmation:
        "the receiver went down at delivery.assigned (the signature is zero bytes long) in each of 3 runs",
    });
  });

  test("once, no check fails, and the effects are read after the restart", async () => {
    let left = 1;
    const target = await endingAfter(() => left-- > 0);
    const { trouble } = await certifyReceiver(
      target,
      receiverChecks.filter(({ id }) => id === "order.by-delivery"),
    );
    expect(left).toBeLessThan(0);
    expect(trouble).toEqual({});
  });

  test("after two events, and then for good, no check fails, because nothing can be repeated", async () => {
    const ended = new Set<unknown>();
    const isFirstOfTwo = ({ headers }: IncomingRequest) =>
      ended.size < 2 && ended.size < ended.add(headers["webhook-id"]).size;
    const target = await endingAfter(isFirstOfTwo, 1);
    const { outcomes } = await certifyReceiver(
      { ...target, returnMs: 1_000 },
      receiverChecks.filter(({ id }) => id === "kinds.default"),
    );
    expect(outcomes.get("kinds.default")).toMatchObject({
      status: "not_verified",
      message: expect.stringMatching(/^the receiver went down at .* and did not come back within 1 s$/),
    });
  });

  test("once, the report says so, with the earlier responses", async () => {
    let left = 1;
    const notices: string[] = [];
    const statuses: string[] = [];
    const target = receiverTarget(await endingAfter((request) => isCut(request) && left-- > 0));
    const checks = receiverChecks.filter(({ id }) => id === "survival.lengths");
    for await (const event of run(checks, target)) {
      if (event.type === "notice") notices.push(event.text);
      if (event.type === "result") statuses.push(event.outcome.status);
    }
    expect(statuses).toEqual(["passed"]);
    expect(notices).toEqual([
      expect.stringMatching(
        /^the receiver went down at delivery\.\w+, webhook-id \S+ \(delivery\.\w+ \(the signature is zero bytes long\), webhook-id \S+ had been answered with 401\) and was back \d+\.\d s later$/,
      ),
    ]);
  });

  test("each time after one type of event, the check of that event's effect fails", async () => {
    const { outcomes } = await certifyReceiver(
      await endingAfter(({ body }) => body.includes('"delivery.delivered"')),
      receiverChecks.filter(({ id }) => id === "order.by-delivery"),
    );
    expect(outcomes.get("order.by-delivery")).toMatchObject({
      status: "failed",
      message: expect.stringMatching(
        /^the receiver answered delivery\.delivered, webhook-id \S+ with 204 and went down/,
      ),
    });
  });
});
