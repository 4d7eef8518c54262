import { expect, test } from "vitest";
import { startReferenceServer } from "../../reference-server/embedded.ts";
import { ControlClient } from "../core/control.ts";
import { Redactor } from "../core/text/redact.ts";
import { certify } from "./certify.ts";
import { isActive } from "./check.ts";
import { checks } from "./checks/index.ts";
import { startIndependentServer } from "./independent-server/server.ts";
import { DEFAULT_POINT, LOOPBACK_RECEIVER } from "./session/sample-data/settings.ts";
import { ENOUGH_PAIRING_CODES } from "./session/stores/stores.ts";

const TOKEN = "control-token-of-the-test";

async function reference() {
  const { url, controlUrl, close } = await startReferenceServer({ controlToken: TOKEN });
  return { url, control: { url: controlUrl, token: TOKEN }, close };
}

/** A server that uses up the code of a refused registration. */
async function independent() {
  const { url, controlUrl, controlToken, close } = await startIndependentServer();
  return { url, control: { url: controlUrl, token: controlToken }, close };
}

/** Checks that need a new code or store. The others use existing ones. */
const needingCodes = checks.filter(
  (check) =>
    isActive(check) && check.needs.some((need) => need === "pairing" || need === "second-integrator"),
);

test.concurrent.for([
  ["the reference server", reference] as const,
  ["a server whose refusals use codes up", independent] as const,
])("the documented number of pairing codes is enough for two credentials: $0", async ([, start]) => {
  const { url, control, close } = await start();
  try {
    const company = new ControlClient(control, new Redactor());
    await company.describe();
    const { outcomes } = await certify(
      {
        url,
        credentials: [
          await company.createIntegrator("integrator"),
          await company.createIntegrator("integrator"),
        ],
        pairingCodes: await Promise.all(
          Array.from(
            { length: ENOUGH_PAIRING_CODES },
            async () => (await company.issuePairingCode({})).pairing_code,
          ),
        ),
        control: undefined,
        receiver: LOOPBACK_RECEIVER,
        point: DEFAULT_POINT,
        answerMs: 30_000,
        maxWaitMs: 0,
      },
      needingCodes,
      { claims: ["api"] },
    );
    const messages = [...outcomes].map(([id, { status, message = "" }]) => `${id} ${status}: ${message}`);
    expect(messages.length).toBeGreaterThan(10);
    expect(messages.filter((message) => !message.includes(" passed:"))).toEqual([]);
  } finally {
    await close();
  }
});

test("a refused pairing code is reported by its position, not by its value", async () => {
  const { url, control, close } = await reference();
  try {
    const company = new ControlClient(control, new Redactor());
    await company.describe();
    const { pairing_code } = await company.issuePairingCode({});
    const { outcomes } = await certify(
      {
        url,
        credentials: [await company.createIntegrator("integrator")],
        pairingCodes: ["NEVER-ISSUED", pairing_code],
        control: undefined,
        receiver: LOOPBACK_RECEIVER,
        point: DEFAULT_POINT,
        answerMs: 30_000,
        maxWaitMs: 0,
      },
      needingCodes.filter(({ id }) => id === "stores.first-registration"),
      { claims: ["api"] },
    );
    const messages = [...outcomes.values()].flatMap(({ message = [] }) => message);
    expect(messages).toEqual([
      "the 1st of 2 pairing codes was refused (ESLEME_KODU_GECERSIZ): used up, expired or mistyped?",
    ]);
  } finally {
    await close();
  }
});
