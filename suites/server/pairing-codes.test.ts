import { expect, test } from "vitest";
import { startReferenceServer } from "../../reference-server/embedded.ts";
import { ControlClient } from "../core/control.ts";
import { Redactor } from "../core/text/redact.ts";
import { certify } from "./certify.ts";
import { isExperiment } from "./check.ts";
import { checks } from "./checks/index.ts";
import { startIndependentServer } from "./independent-server/server.ts";
import { DEFAULT_POINT, LOOPBACK_RECEIVER } from "./session/settings.ts";

const TOKEN = "control-token-of-the-test";

async function reference() {
  const { url, controlUrl, close } = await startReferenceServer({ controlToken: TOKEN });
  return { url, control: { url: controlUrl, token: TOKEN }, close };
}

/** It uses a code up with whatever registration is refused. */
async function second() {
  const { url, controlUrl, controlToken, close } = await startIndependentServer();
  return { url, control: { url: controlUrl, token: controlToken }, close };
}

/** Those that take codes, or a store of either integrator's; the others use what these have. */
const taking = checks.filter(
  (check) =>
    isExperiment(check) && check.needs.some((need) => need === "pairing" || need === "second-integrator"),
);

/** As the README promises, in whichever order the checks come to take theirs. */
const CODES = 15;

test.for([
  ["the reference server", reference] as const,
  ["one that uses codes up by refusals", second] as const,
])("fifteen pairing codes are enough for two credentials: $0", async ([, start]) => {
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
          Array.from({ length: CODES }, async () => (await company.issuePairingCode({})).pairing_code),
        ),
        control: undefined,
        receiver: LOOPBACK_RECEIVER,
        point: DEFAULT_POINT,
        answerMs: 30_000,
        patienceMs: 0,
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
