import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { paymentTypes } from "../../reference-server/domain/payment-types.ts";
import { startReferenceServer } from "../../reference-server/embedded.ts";
import { elementSets } from "../core/contract/element-sets.ts";
import { missedElements, testElementMutants } from "../core/element-mutants.ts";
import { certify } from "./certify.ts";
import { checks } from "./checks/index.ts";
import { LISTED_CODES } from "./mutants/deliveries/payment-types.ts";
import { mutants } from "./mutants/index.ts";
import { DEFAULT_POINT, LOOPBACK_RECEIVER } from "./session/sample-data/settings.ts";

test("mutants use the reference server's payment codes", () => {
  expect(LISTED_CODES).toEqual(paymentTypes.map(({ kod }) => kod));
});

test("the checks of a clause cover every element of its set", async () => {
  const controlToken = randomBytes(24).toString("base64url");
  const server = await startReferenceServer({ controlToken });
  try {
    const target = {
      url: server.url,
      credentials: [],
      pairingCodes: [],
      control: { url: server.controlUrl, token: controlToken },
      receiver: LOOPBACK_RECEIVER,
      point: DEFAULT_POINT,
      answerMs: 30_000,
      maxWaitMs: 0,
    };
    const { outcomes, trouble } = await certify(target, checks);
    expect(trouble).toEqual({});
    expect(missedElements("server", checks, outcomes)).toEqual([]);
  } finally {
    await server.close();
  }
});

testElementMutants("server", {
  checks,
  mutants,
  // The reference server lists the payment codes.
  elementsIn: (set) => (set === "payment-codes" ? LISTED_CODES : elementSets[set].elements),
});
