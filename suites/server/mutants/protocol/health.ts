import type { Mutant } from "../mutant.ts";
import { answering, without } from "../operators/answers.ts";
import { moved, operationAt } from "../operators/documents.ts";
import { instead } from "../operators/operations.ts";

const reporting = (members: object) =>
  instead("getHealth", async (call, original) => answering(await original(call), members));

export const healthMutants = {
  "health-needs-a-token": {
    fault: "the health check answers 401 without a token",
    mutate: operationAt("/healthz", "get", (operation) => delete operation.security),
  },
  "health-ok-is-text": {
    fault: 'ok is the text "true"',
    mutate: reporting({ ok: "true" }),
  },
  "health-under-v1": {
    fault: "the health check is served under /v1",
    mutate: moved("/healthz", "/v1/healthz"),
  },
  "health-db-is-an-object": {
    fault: "db is an object with a status in it",
    mutate: reporting({ db: { status: "ok" } }),
  },
  "health-without-redis": {
    fault: "redis is left out where none is used",
    mutate: instead("getHealth", async (call, original) => {
      const reply = await original(call);
      return { ...reply, body: without(reply.body, "redis") };
    }),
  },
  "health-version-is-semantic": {
    fault: "version is a semantic one, such as 1.4.0",
    mutate: (parts) => ({ ...parts, apiVersion: "1.4.0" }),
  },
} satisfies Record<string, Mutant>;
