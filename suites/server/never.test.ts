import { expect, onTestFinished, test } from "vitest";
import { type ClauseId, clause } from "../../openapi/generated/clauses.ts";
import { startReferenceServer } from "../../reference-server/embedded.ts";
import { expectThat } from "../core/grading/expectations/expect.ts";
import { attributeFailures } from "../core/grading/failures/attributed-to.ts";
import { check } from "./check.ts";
import { runCheck } from "./run-check.ts";
import { Session } from "./session/session.ts";
import { target } from "./variants/legal-servers.ts";

const TOKEN = "control-token-of-the-test";

async function openSession(): Promise<Session> {
  const server = await startReferenceServer({ controlToken: TOKEN });
  onTestFinished(() => server.close());
  const session = await Session.open({
    ...target(server.url, TOKEN),
    control: { url: server.controlUrl, token: TOKEN },
  });
  onTestFinished(() => session.close());
  return session;
}

/** A check that fails only in its first run. */
function failsOnce(violated: ClauseId) {
  let runs = 0;
  return check({
    id: "example.fails-once",
    title: "a check that fails in its first run",
    clauses: [clause["IDEM-5"], clause["IDEM-7"]],
    async run({ api, store }) {
      runs += 1;
      (await api.getStore((await store()).external_store_id)).body(200);
      attributeFailures([violated], () => expectThat("deliveries of one key", runs === 1 ? 2 : 1).is(1));
    },
  });
}

test("a duplicate fails the check even if it occurs only once", async () => {
  const outcome = await runCheck(failsOnce(clause["IDEM-7"]), await openSession(), 1);
  expect(outcome).toMatchObject({ status: "failed", clause_findings: { failed: ["IDEM-7"] } });
});

test("another failure that occurs only once is inconsistent", async () => {
  const outcome = await runCheck(failsOnce(clause["IDEM-5"]), await openSession(), 1);
  expect(outcome).toMatchObject({ status: "inconsistent", confirmation: "failed in 1 of 5 runs" });
});
