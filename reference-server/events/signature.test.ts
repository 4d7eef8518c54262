import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { ids } from "../domain/credentials.ts";
import { signer } from "./signature.ts";

test("a signature follows Standard Webhooks for any bytes", () => {
  for (const body of ["{}", '{"ad":"Ayşe","not":"\\u00e7 ç 🛵"}', ""]) {
    const secret = ids.webhookSecret();
    const due = new Webhook(secret).sign("an-id", new Date(1_700_000_000_000), body);
    expect(signer.sign(signer, secret, "an-id", "1700000000", body)).toBe(due);
  }
});
