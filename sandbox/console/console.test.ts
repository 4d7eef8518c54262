import supertest, { type Agent } from "supertest";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Dependencies } from "../../reference-server/dependencies.ts";
import type { RunningServer } from "../../reference-server/embedded.ts";
import { type Account, openAccount, withToken } from "../../reference-server/testing/accounts.ts";
import { onEachDatabase } from "../../reference-server/testing/databases.ts";
import { withSandbox } from "../sandbox.ts";
import { consoleOf } from "../testing/console.ts";
import type { IntegratorSummary } from "./types.ts";

/** An endless rate window, so that the remaining requests don't change with the minute. */
function withoutMinutes(deps: Dependencies): Dependencies {
  const { rate } = deps.limits;
  const integrator = { ...rate.integrator, windowMs: Number.MAX_SAFE_INTEGER };
  return { ...deps, limits: { ...deps.limits, rate: { ...rate, integrator } } };
}

onEachDatabase((database) => {
  let server: RunningServer;
  let console: Agent;
  let someone: Account;

  beforeAll(async () => {
    server = await database.start({ mutate: (deps) => withSandbox(null)(withoutMinutes(deps)) });
    console = consoleOf(server);
    someone = await openAccount(server);
  });
  afterAll(() => server.close());

  describe("the console's interface", () => {
    test("needs the control token", async () => {
      await supertest(server.url).get("/console/api/overview").expect(401);
      await withToken(server.url, "something else").get("/console/api/overview").expect(401);
      await console.get("/overview").expect(200);
    });

    test.each([
      ["/console", 200],
      ["/console/api/overview", 401],
      ["/console/files/main.js", 200],
      ["/console/styles/frame.css", 200],
    ])("doesn't exist without a control token: %s", async (path, otherwise) => {
      const without = await database.start({ controlToken: null, mutate: withSandbox(null) });
      await supertest(without.url).get(path).expect(404);
      await without.close();
      await supertest(server.url).get(path).expect(otherwise);
    });

    test("serves only its own files, with a strict content security policy", async () => {
      await supertest(server.url)
        .get("/console")
        .expect("content-security-policy", /default-src 'none'; script-src 'self'/);
      for (const file of ["..%2f..%2fserver.ts", "console.test.ts", "nothing.js"]) {
        await supertest(server.url).get(`/console/files/${file}`).expect(404);
      }
    });

    test("refuses invalid requests", async () => {
      await console.post("/integrators").send({ name: "" }).expect(400);
      await console.post("/integrators").type("json").send("{").expect(400);
      await console.post(`/integrators/${someone.clientId}/inbox`).send({ answer: "99" }).expect(400);
      await console.post("/integrators/nobody/inbox").send({}).expect(404);
      await console.get("/deliveries/unknown").expect(404);
    });

    test("creates integrators that can't use trusted receivers", async () => {
      const origin = "https://127.0.0.1:1";
      await someone.control.post("/trusted-receivers").send({ origin }).expect(204);
      const { client_id } = (await console.post("/integrators").send({ name: "Theirs" }).expect(201)).body;
      const token = await someone.control.post(`/integrators/${client_id}/token`).expect(201);
      const theirs = withToken(server.url, token.body.access_token);
      await someone.api.post("/v1/webhooks").send({ url: origin }).expect(201);
      await theirs.post("/v1/webhooks").send({ url: origin }).expect(400);
    });

    test("doesn't count its requests towards any limit", async () => {
      const remaining = async () => {
        const summaries: IntegratorSummary[] = (await console.get("/overview")).body.integrators;
        return summaries.find(({ client_id }) => client_id === someone.clientId)?.limit.remaining;
      };
      const before = await remaining();
      expect(await remaining()).toBe(before);
      const { headers } = await someone.api.get("/v1/stores").expect(200);
      expect(await remaining()).toBe(Number(headers["x-ratelimit-remaining"]));
    });
  });
});
