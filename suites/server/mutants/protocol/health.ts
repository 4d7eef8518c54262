import type { Mutants } from "../mutant.ts";
import { withBodyMembers, withoutMembers } from "../operators/answers.ts";
import { alterOperation, movePath } from "../operators/documents.ts";
import { replaceOperation } from "../operators/operations.ts";

const alterHealth = (members: object) =>
  replaceOperation("getHealth", async (call, original) => withBodyMembers(await original(call), members));

export const healthMutants: Mutants = {
  "health-needs-a-token": {
    fault: "the health check requires a token",
    breaks: [{ clause: "HEALTH-1" }, { clause: "AUTH-9" }, { clause: "VER-3" }],
    caughtBy: ["health.ok"],
    mutate: alterOperation("/healthz", "get", (operation) => delete operation.security),
  },
  "health-ok-is-text": {
    fault: 'ok is the string "true"',
    breaks: [{ clause: "HEALTH-2" }],
    mutate: alterHealth({ ok: "true" }),
  },
  "health-under-v1": {
    fault: "the health check is served under /v1",
    breaks: [{ clause: "HEALTH-1" }, { clause: "AUTH-9" }, { clause: "VER-3" }],
    caughtBy: ["health.ok"],
    mutate: movePath("/healthz", "/v1/healthz"),
  },
  "health-db-is-an-object": {
    fault: "db is an object with a status in it",
    breaks: [{ clause: "HEALTH-3" }],
    mutate: alterHealth({ db: { status: "ok" } }),
  },
  "health-without-redis": {
    fault: "redis is omitted if none is used",
    breaks: [{ clause: "HEALTH-4" }],
    mutate: replaceOperation("getHealth", async (call, original) => {
      const reply = await original(call);
      return { ...reply, body: withoutMembers(reply.body, "redis") };
    }),
  },
  "health-version-is-semantic": {
    fault: "version is a semantic version, such as 1.4.0",
    breaks: [{ clause: "VER-4" }],
    mutate: (deps) => ({ ...deps, apiVersion: "1.4.0" }),
  },
};
