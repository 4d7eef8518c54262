import { expect, onTestFinished, test } from "vitest";
import { clause } from "../../../../openapi/generated/clauses.ts";
import { startReferenceServer } from "../../../../reference-server/embedded.ts";
import { CheckFailure } from "../../../core/grading/failures/failure.ts";
import { forbiddenObservation } from "../../../core/grading/failures/mismatch.ts";
import { check } from "../../check.ts";
import { runCheck } from "../../run-check.ts";
import { target } from "../../variants/legal-servers.ts";
import { startProxy } from "../identities/testing/proxy.ts";
import { Session } from "../session.ts";

const TOKEN = "control-token-of-the-test";
const LOST = "request lost";
const ENDING_ID = "0b0f8f0e-5f1d-4a51-9a52-0e3b5a3c9d21";
/** The number of failed health requests after each crash. */
const POLLS_UNTIL_BACK = 3;

/** Starts a session on a server that crashes when one delivery is read, and is then restarted. */
async function onServerThatEnds(): Promise<Session> {
  const server = await startReferenceServer({ controlToken: TOKEN });
  onTestFinished(() => server.close());
  let pollsLeft = 0;
  const proxy = await startProxy(server.url, ({ url = "" }) => {
    if (url.endsWith(ENDING_ID)) pollsLeft = POLLS_UNTIL_BACK;
    const isAway = pollsLeft > 0;
    if (url === "/healthz") pollsLeft -= 1;
    return isAway ? LOST : undefined;
  });
  onTestFinished(() => proxy.close());
  const session = await Session.open({
    ...target(proxy.url, TOKEN),
    control: { url: server.controlUrl, token: TOKEN },
  });
  onTestFinished(() => session.close());
  return session;
}

test("a request that crashes the target fails its check, regardless of which request reports the broken connection", async () => {
  const session = await onServerThatEnds();
  const losesTheEnd = check({
    id: "example.loses-the-end",
    title: "a check that reports another request than the one that crashes the target",
    clauses: [clause["NEW-51"]],
    async run({ api }) {
      await api.getDelivery(ENDING_ID).catch(() => {});
      throw new CheckFailure(forbiddenObservation("another request was lost"));
    },
  });
  expect(await runCheck(losesTheEnd, session, 1)).toMatchObject({
    status: "failed",
    operation: "getDelivery",
    message: expect.stringMatching(
      /^expected a response to GET \S+, got nothing: the target stopped responding$/,
    ),
    confirmation: "the target stopped responding at getDelivery in each of 3 runs",
  });
  expect(session.transport.outages).toBe(3);
});
