import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { checks } from "../checks/index.ts";
import type { FaultyServer } from "../mutants/mutant.ts";
import { runMutant } from "../mutants/run-mutant.ts";

/** Values at which `String` and template literals throw: a member of that name that is no function. */
const ODD = {
  id: { toString: 1, valueOf: 1 },
  version: { valueOf: 1, toString: 1 },
  tracking_url: { toString: 1 },
};

/** Anyone who knows an address can also send such webhooks there, without a signature. */
const oddWebhooks: FaultyServer = {
  fault: "none",
  mutate: (deps) => ({
    ...deps,
    transport: {
      ...deps.transport,
      async post(all, outgoing, signal) {
        const event = { ...JSON.parse(String(outgoing.body)), id: randomUUID(), data: ODD };
        const headers = { "content-type": "application/json", "webhook-id": randomUUID() };
        const forged = { ...outgoing, headers, body: JSON.stringify(event) };
        await deps.transport.post(all, forged, signal).catch(() => {});
        return deps.transport.post(all, outgoing, signal);
      },
    },
  }),
};

const SOME = ["endpoints.successes", "emission.changes", "envelope.values-on-the-way", "signatures.headers"];

test("a webhook whose members have a toString of their own is judged as any other, and no fault of the suite", async () => {
  const outcomes = await runMutant(
    oddWebhooks,
    checks.filter((check) => check.kind === "active").filter(({ id }) => SOME.includes(id)),
  );
  expect([...outcomes.keys()].toSorted()).toEqual(SOME.toSorted());
  for (const { status } of outcomes.values()) expect(["passed", "failed"]).toContain(status);
});
