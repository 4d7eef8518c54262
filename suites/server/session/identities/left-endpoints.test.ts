import { randomBytes } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import { startReferenceServer } from "../../../../reference-server/embedded.ts";
import { certify } from "../../certify.ts";
import { checks } from "../../checks/index.ts";
import { target } from "../../variants/legal-servers.ts";

/** Checks that subscribe five endpoints each. */
const FIVE_ENDPOINTS = ["endpoints.client-errors", "endpoints.server-errors"];

async function deletionsOfRun(cleanUp: boolean): Promise<number> {
  const server = await startReferenceServer({ controlToken: randomBytes(24).toString("base64url") });
  onTestFinished(() => server.close());
  const control = { url: server.controlUrl ?? "", token: server.controlToken ?? "" };
  const operations: string[] = [];
  const { trouble } = await certify(
    { ...target(server.url, control.token), control },
    checks.filter(({ id }) => FIVE_ENDPOINTS.includes(id)),
    { jobs: 1, cleanUp, observe: ({ operation }) => operations.push(operation) },
  );
  expect(trouble).toEqual({});
  return operations.filter((operation) => operation === "deleteWebhook").length;
}

test("only a run that cleans up deletes the endpoints of checks with several", async () => {
  const few = await deletionsOfRun(false);
  expect(await deletionsOfRun(true)).toBe(few + 10);
});
