import { createServer, request } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { clause } from "../../openapi/generated/clauses.ts";
import { startReferenceServer } from "../../reference-server/embedded.ts";
import { type AnyCheck, check } from "./check.ts";
import { passiveChecks } from "./checks/passive/passive.ts";
import { runOnTarget } from "./run-target.ts";
import { target } from "./variants/legal-servers.ts";

const TOKEN = "control-token-of-the-test";

/** A check that reads its store this many times. */
const reading = (times: number) =>
  check({
    id: "example.asking",
    title: "a check without expectations",
    clauses: [clause["PAY-1"]],
    async run({ api, order, store }) {
      (await api.createDelivery(await order())).body(201);
      const { external_store_id } = await store();
      for (let left = times; left > 0; left -= 1) await api.getStore(external_store_id);
    },
  });

/** The outcome of passive.no-5xx if these reads of a store, counted from 1, get a 500. */
async function outcomeWith(faulty: readonly number[], times: number) {
  const server = await startReferenceServer({ controlToken: TOKEN });
  onTestFinished(() => server.close());
  let reads = 0;
  const front = createServer((incoming, outgoing) => {
    const isRead = incoming.method === "GET" && /^\/v1\/stores\/./.test(incoming.url ?? "");
    if (isRead) reads += 1;
    const isFaulty = isRead && faulty.includes(reads);
    const { method, headers, url = "" } = incoming;
    incoming.pipe(
      request(new URL(url, server.url), { method, headers }, (answer) => {
        outgoing.writeHead(isFaulty ? 500 : (answer.statusCode ?? 500), answer.headers);
        answer.pipe(outgoing);
      }),
    );
  });
  await new Promise<void>((resolve) => front.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    front.closeAllConnections();
    front.close();
  });
  const address = front.address();
  const url = `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;
  const settings = { ...target(url, TOKEN), control: { url: server.controlUrl, token: TOKEN } };
  const passive = passiveChecks.filter(({ id }) => id === "passive.no-5xx");
  const checks: readonly AnyCheck[] = [reading(times), ...passive];
  const outcomes = await runOnTarget(settings, checks, { seed: 1, jobs: 1 });
  return { outcome: outcomes.get("passive.no-5xx"), reads };
}

test("a fault in two exchanges of an operation needs no confirmation", async () => {
  const { outcome, reads } = await outcomeWith([1, 3], 3);
  expect(outcome).toMatchObject({ status: "failed", operation: "getStore" });
  expect(reads).toBe(3);
});

test("a fault in one exchange counts if it recurs when its check runs again", async () => {
  const { outcome, reads } = await outcomeWith([1, 2], 1);
  expect(outcome).toMatchObject({ status: "failed", operation: "getStore" });
  expect(reads).toBe(2);
});

test("a fault that doesn't recur is inconsistent", async () => {
  const { outcome } = await outcomeWith([1], 1);
  expect(outcome).toMatchObject({ status: "inconsistent", confirmation: "failed in 1 of 5 runs" });
});
