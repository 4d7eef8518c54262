import { expect, test } from "vitest";
import type { Dependencies } from "../../../../reference-server/dependencies.ts";
import { startReferenceServer } from "../../../../reference-server/embedded.ts";
import { ControlClient } from "../../../core/control.ts";
import { Redactor } from "../../../core/text/redact.ts";
import { alterProperty } from "../../mutants/operators/documents.ts";
import { replaceOperation } from "../../mutants/operators/operations.ts";
import { runOnTarget } from "../../run-target.ts";
import { DEFAULT_POINT, LOOPBACK_RECEIVER } from "../../session/sample-data/settings.ts";
import { checks } from "../index.ts";

const TOKEN = "control-token-of-the-test";

/** A server that accepts any longitude for a store, and then fails to create deliveries of that store. */
function failsOnAcceptedLongitude(deps: Dependencies): Dependencies {
  const brokenStores = new Set<string>();
  const acceptsAnyLongitude = alterProperty("StoreAddress", "lng", { type: undefined })(deps);
  const remembersLongitude = replaceOperation("registerStore", (call, original) => {
    const { address, external_store_id } = call.body;
    if (address.lng !== undefined && typeof address.lng !== "number") brokenStores.add(external_store_id);
    else brokenStores.delete(external_store_id);
    return original(call);
  })(acceptsAnyLongitude);
  return replaceOperation("createDelivery", (call, original) => {
    if (brokenStores.has(call.body.store.external_store_id)) throw new Error("lng is no number");
    return original(call);
  })(remembersLongitude);
}

test("a longitude of a wrong type that the server accepts doesn't fail later checks of the store", async () => {
  const server = await startReferenceServer({
    controlToken: TOKEN,
    mutate: failsOnAcceptedLongitude,
    reportFault: () => {},
  });
  try {
    const company = new ControlClient({ url: server.controlUrl, token: TOKEN }, new Redactor());
    await company.describe();
    const [types, ...others] = [
      "registration-bounds.types",
      "delivery-fields.distance",
      "delivery-fields.id",
    ];
    const outcomes = await runOnTarget(
      {
        url: server.url,
        // All checks share one store.
        credentials: [await company.createIntegrator("integrator")],
        pairingCodes: [(await company.issuePairingCode({})).pairing_code],
        control: undefined,
        receiver: LOOPBACK_RECEIVER,
        point: DEFAULT_POINT,
        answerMs: 30_000,
        maxWaitMs: 0,
      },
      [types, ...others].flatMap((id) => checks.filter((check) => check.id === id)),
      { seed: 1, jobs: 1, eachAlone: true },
    );
    const ends = Object.fromEntries([...outcomes].map(([id, { status, at }]) => [id, { status, at }]));
    expect(ends).toEqual({
      [types]: { status: "failed", at: expect.stringMatching(/^1 of \d+ bounds: address\.lng /) },
      ...Object.fromEntries(others.map((id) => [id, { status: "passed", at: undefined }])),
    });
  } finally {
    await server.close();
  }
});
