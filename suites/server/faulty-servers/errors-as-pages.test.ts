import { expect, test } from "vitest";
import { startReferenceServer } from "../../../reference-server/embedded.ts";
import { certify } from "../certify.ts";
import { checks } from "../checks/index.ts";
import { target } from "../variants/legal-servers.ts";
import { type PassingResponse, startRewritingProxy } from "../variants/proxy.ts";

const CONTROL_TOKEN = "control-token-of-the-server-with-error-pages";

/** A framework's own error handler. */
const errorsAsPages = (response: PassingResponse) => {
  if (response.status < 400) return;
  response.json = undefined;
  response.bytes = Buffer.from(`<!DOCTYPE html>\n<html><body><pre>${response.status}</pre></body></html>`);
  response.headers["content-type"] = "text/html; charset=utf-8";
};

test("error pages in HTML are one cause, whichever code a check expected", async () => {
  const tried = checks.filter(({ id }) =>
    ["passive.", "tokens.", "creation.", "cancellation.", "stores."].some((group) => id.startsWith(group)),
  );
  const server = await startReferenceServer({ controlToken: CONTROL_TOKEN });
  const proxy = await startRewritingProxy(server.url, errorsAsPages);
  try {
    const { outcomes } = await certify(target(proxy.url, CONTROL_TOKEN), tried, { jobs: 16 });
    const failed = [...outcomes.values()].filter(({ status }) => status === "failed");
    expect(new Set(failed.map(({ fault }) => fault))).toEqual(
      new Set(["a response is a web page instead of JSON"]),
    );
  } finally {
    await proxy.close();
    await server.close();
  }
});
