import { expect, test } from "vitest";
import { startReferenceServer } from "../../../reference-server/embedded.ts";
import { certify } from "../certify.ts";
import { checks } from "../checks/index.ts";
import { target } from "../variants/legal-servers.ts";
import { type PassingResponse, startRewritingProxy } from "../variants/proxy.ts";

const CONTROL_TOKEN = "control-token-of-the-server-without-quotes";

/** A router that knows no such path answers before a limit is counted. */
const withoutQuotes = (response: PassingResponse) => {
  if (response.path !== "/v1/quotes") return;
  response.status = 404;
  response.json = { error: { code: "BULUNAMADI", message: "Yok" } };
};

test("an operation that isn't built is left out where the limit of all is counted", async () => {
  const server = await startReferenceServer({ controlToken: CONTROL_TOKEN });
  const proxy = await startRewritingProxy(server.url, withoutQuotes);
  try {
    const tried = checks.filter(({ id }) => id === "limits.integrator");
    const { outcomes } = await certify(target(proxy.url, CONTROL_TOKEN), tried);
    expect(outcomes.get("limits.integrator")).toMatchObject({
      status: "passed",
      account: expect.arrayContaining(["not sent: createQuote (missing, or at another path)"]),
    });
  } finally {
    await proxy.close();
    await server.close();
  }
});
