import { expect, test, vi } from "vitest";
import { startReferenceServer } from "../../../reference-server/embedded.ts";
import { certify } from "../certify.ts";
import { checks } from "../checks/index.ts";
import { DEFAULT_POINT, LOOPBACK_RECEIVER } from "../session/sample-data/settings.ts";

/** Values that orders may share: two orders have the same ones by chance in any run, and checks choose the sums. */
vi.mock(import("../session/sample-data/sample-data.ts"), async (original) => ({
  ...(await original()),
  personName: () => "Özlem Kılıç",
  mobileNumber: () => "05322150279",
  streetAddress: () => "Yeşil Tekke Sokak 89, Fatih, İstanbul",
  dishName: () => "Tavuk şiş",
  orderSum: () => 250.5,
  deviation: () => 0,
  randomBetween: (min, max) => (min + max) / 2,
}));

test("no check needs that two orders differ in what was drawn for them", async () => {
  const controlToken = "control-token-of-the-test";
  const server = await startReferenceServer({ controlToken });
  try {
    const { url } = server;
    const certification = await certify(
      {
        url,
        credentials: [],
        pairingCodes: [],
        control: { url: `${url}/control`, token: controlToken },
        receiver: LOOPBACK_RECEIVER,
        point: DEFAULT_POINT,
        answerMs: 30_000,
        maxWaitMs: 0,
      },
      checks,
      { jobs: 16, claims: ["api", "events", "courier", "time"] },
    );
    expect(certification.trouble).toEqual({});
  } finally {
    await server.close();
  }
});
