import { expect, test } from "vitest";
import { startReferenceServer } from "../../reference-server/embedded.ts";
import { ControlClient } from "../core/control.ts";
import { Redactor } from "../core/text/redact.ts";
import { certify } from "./certify.ts";
import { isExperiment } from "./check.ts";
import { checks } from "./checks/index.ts";
import { startIndependentServer } from "./independent-server/server.ts";
import { DEFAULT_POINT, LOOPBACK_RECEIVER } from "./session/sample-data/settings.ts";
import { ENOUGH_PAIRING_CODES } from "./session/stores/stores.ts";

const TOKEN = "control-token-of-the-test";

async function reference() {
  const { url, controlUrl, close } = await startReferenceServer({ controlToken: TOKEN });
  return { url, control: { url: controlUrl, token: TOKEN }, close };
}

/** A server that uses a code up with any refused registration. */
async function second() {
  const { url, controlUrl, controlToken, close } = await startIndependentServer();
  return { url, control: { url: controlUrl, token: controlToken }, close };
}

/** Checks that use codes, or a store of either integrator's. The others use the existing ones. */
const taking = checks.filter(
  (check) =>
    isExperiment(check) && check.needs.some((need) => need === "pairing" || need === "second-integrator"),
);

test.concurrent.for([
  ["the reference server", reference] as const,
  ["one that uses codes up by refusals", second] as const,
])("as many pairing codes as the documents name are enough for two credentials: $0", async ([, start]) => {
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
      taking,
      { claims: ["api"] },
    );
    const messages = [...outcomes].map(([id, { status, message = "" }]) => `${id} ${status}: ${message}`);
    expect(messages.length).toBeGreaterThan(10);
    expect(messages.filter((message) => !message.includes(" passed:"))).toEqual([]);
  } finally {
    await close();
  }
});

test("a code that is refused is named by its place among those that were given, and not shown", async () => {
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
      taking.filter(({ id }) => id === "stores.first-registration"),
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
