import { expect, test } from "vitest";
import { CreatedResources } from "./created-resources.ts";

const created = (violates: string | undefined) => {
  const resources = new CreatedResources();
  resources.observe({
    operation: "createWebhook",
    method: "POST",
    url: "http://localhost/v1/webhooks",
    requestHeaders: {},
    requestBody: "{}",
    startedAt: 0,
    durationMs: 1,
    response: { status: 201, headers: {}, bytes: new Uint8Array(), text: "", json: { id: "one" } },
    failure: undefined,
    violates,
  });
  return [...resources.uncertainWebhooks];
};

test("a webhook created by an invalid request is deleted before the next check", () => {
  expect(created("an expired token")).toEqual(["one"]);
  expect(created(undefined)).toEqual([]);
});
