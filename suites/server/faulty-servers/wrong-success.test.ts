import { expect, test } from "vitest";
import { startReferenceServer } from "../../../reference-server/embedded.ts";
import { certify } from "../certify.ts";
import { checks } from "../checks/index.ts";
import { target } from "../variants/legal-servers.ts";
import type { PassingResponse } from "../variants/proxy.ts";
import { startRewritingProxy } from "../variants/proxy.ts";

const CONTROL_TOKEN = "control-token-of-the-server-with-wrong-statuses";

/** A web framework's default: a success is 200, whatever it made. */
const successIs200 = (response: PassingResponse) => {
  if (response.status === 201) response.status = 200;
};

const GROUPS = [
  "stores",
  "creation",
  "idempotency",
  "subscriptions",
  "test-deliveries",
  "changes",
  "isolation",
];
const tried = checks.filter(({ id }) => GROUPS.some((group) => id.startsWith(`${group}.`)));

test("200 for 201 fails the checks of that status, and blocks no other", async () => {
  const server = await startReferenceServer({ controlToken: CONTROL_TOKEN });
  const proxy = await startRewritingProxy(server.url, successIs200);
  try {
    const { grade, trouble } = await certify(target(proxy.url, CONTROL_TOKEN), tried, { jobs: 16 });
    expect(Object.keys(trouble).toSorted()).toEqual([
      "creation.any-order",
      "stores.first-registration",
      "subscriptions.creation",
      "test-deliveries.recorded",
    ]);
    expect(grade.verdict).toBe("NONCONFORMANT");
  } finally {
    await proxy.close();
    await server.close();
  }
});
