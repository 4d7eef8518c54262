import supertest from "supertest";
import { expect, test } from "vitest";
import { startReferenceServer } from "../../reference-server/embedded.ts";
import { withSandbox } from "../sandbox.ts";

test("the document and the collection are served, with this sandbox as their server", async () => {
  const server = await startReferenceServer({ mutate: withSandbox(null) });
  const { body: document } = await supertest(server.url).get("/openapi.json").expect(200);
  expect(document.openapi).toMatch(/^3\.1/);
  expect(document.servers).toEqual([{ url: server.url }]);
  const { body: collection } = await supertest(server.url).get("/postman_collection.json").expect(200);
  expect(collection.variable).toContainEqual(expect.objectContaining({ key: "base_url", value: server.url }));
  await server.close();
});

test("the service without a sandbox serves neither", async () => {
  const server = await startReferenceServer();
  await supertest(server.url).get("/openapi.json").expect(404);
  await server.close();
});
