import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { startReferenceServer } from "../../../reference-server/embedded.ts";
import { certify } from "../certify.ts";
import { checks } from "../checks/index.ts";
import type { Mutate } from "../mutants/mutant.ts";
import { alterDelivery } from "../mutants/operators/answers.ts";
import { target } from "./legal-servers.ts";
import { reportsNoSearchAfterChange } from "./lifecycle.ts";
import { lateOffers } from "./messages.ts";

/** What is wrong with the changed server, according to the checks of these groups. */
async function troubleOf(mutate: Mutate, groups: readonly string[]) {
  const controlToken = randomBytes(24).toString("base64url");
  const server = await startReferenceServer({ controlToken, mutate });
  try {
    const selected = checks.filter(({ id }) => groups.some((group) => id.startsWith(group)));
    return (await certify(target(server.url, controlToken), selected, { jobs: 16 })).trouble;
  } finally {
    await server.close();
  }
}

test("a search that starts with a PATCH may be reported as delivery.updated only", async () => {
  const groups = ["scheduled.", "emission.", "event-kinds.", "models."];
  expect(await troubleOf(reportsNoSearchAfterChange, groups)).toEqual({});
});

test("a scheduled delivery that stays RECEIVED with coordinates fails", async () => {
  const staysReceived = alterDelivery(({ scheduled_for, status, version }) => ({
    status: scheduled_for !== null && version > 1 ? "RECEIVED" : status,
  }));
  const mutate: Mutate = (deps) => staysReceived(reportsNoSearchAfterChange(deps));
  expect(await troubleOf(mutate, ["scheduled.search-starts-once-located"])).toEqual({
    "scheduled.search-starts-once-located": expect.stringMatching(/^failed: expected status after the PATCH/),
  });
});

test("delivery.offered may arrive after the delivery.queued of the lapsed offer", async () => {
  expect(await troubleOf(lateOffers, ["event-kinds.", "courier."])).toEqual({});
});
