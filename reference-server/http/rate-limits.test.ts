import supertest, { type Agent, type Test } from "supertest";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { RunningServer } from "../embedded.ts";
import { type Account, openAccount } from "../testing/accounts.ts";
import { onEachDatabase } from "../testing/databases.ts";

const aCount = /^\d+$/;

onEachDatabase((database) => {
  let server: RunningServer;
  let account: Account;

  beforeAll(async () => {
    server = await database.start();
    account = await openAccount(server);
  });
  afterAll(() => server.close());

  const limited = (request: Test) =>
    request
      .expect("x-ratelimit-limit", aCount)
      .expect("x-ratelimit-remaining", aCount)
      .expect("x-ratelimit-reset", aCount);

  describe("every response carries the limit headers", () => {
    const quotes = (api: Agent) => api.post("/v1/quotes").set("content-type", "application/json");
    const huge = JSON.stringify({ notes: "x".repeat(2_000_000) });

    test("a success", async () => {
      await limited(account.api.get("/healthz")).expect(200);
    });

    test.each<[what: string, ask: (api: Agent) => Test, status: number]>([
      ["a request without a token", (api) => api.get("/v1/stores").unset("authorization"), 401],
      ["an unknown path", (api) => api.get("/no/such/path"), 404],
      ["a path that can't be decoded", (api) => api.get("/%zz"), 404],
      ["an unknown method", (api) => api.delete("/healthz"), 404],
      ["a body of another type", (api) => quotes(api).set("content-type", "text/plain").send("{}"), 415],
      ["a body that isn't JSON", (api) => quotes(api).send("{"), 400],
      ["a body that is too large", (api) => quotes(api).send(huge), 413],
    ])("the error response to %s", async (_what, ask, status) => {
      const { body } = await limited(ask(account.api)).expect(status);
      expect(body.error).toMatchObject({ code: expect.any(String) });
    });

    test("the response to an unexpected error", async () => {
      const faults: unknown[] = [];
      const broken = await database.start({
        reportFault: (error) => faults.push(error),
        mutate: (deps) => ({
          ...deps,
          operations: {
            ...deps.operations,
            getHealth: async () => {
              throw new Error("on purpose");
            },
          },
        }),
      });
      const { body } = await supertest(broken.url)
        .get("/healthz")
        .expect(500)
        .expect("x-ratelimit-limit", "300");
      await broken.close();
      expect(body.error.code).toBe("SUNUCU_HATASI");
      expect(faults).toHaveLength(1);
    });
  });
});
