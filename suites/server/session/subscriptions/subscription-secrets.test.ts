import { expect, test } from "vitest";
import type { Exchange } from "../../../core/exchange.ts";
import { SubscriptionSecrets } from "./subscription-secrets.ts";

const ADDRESS = "https://receiver.example/1";

const exchange = (operation: Exchange["operation"], path: string, secret: string, at: number): Exchange => ({
  operation,
  method: "POST",
  url: `https://service.example/v1/webhooks${path}`,
  requestHeaders: {},
  requestBody: JSON.stringify({ url: ADDRESS }),
  startedAt: at - 1,
  durationMs: 1,
  response: {
    status: 200,
    headers: {},
    bytes: new Uint8Array(),
    text: "",
    json: { id: "w1", secret },
  },
  failure: undefined,
  violates: undefined,
});

test("an attempt is compared with the secret of its time, not with that after a later rotation", () => {
  const secrets = new SubscriptionSecrets();
  secrets.observe(exchange("createWebhook", "", "first", 1_000));
  secrets.observe(exchange("rotateWebhookSecret", "/w1/rotate", "second", 2_000));
  expect(secrets.of(ADDRESS, 999)).toBe("first");
  expect(secrets.of(ADDRESS, 1_999)).toBe("first");
  expect(secrets.of(ADDRESS, 2_000)).toBe("second");
  expect(secrets.othersThan(ADDRESS, 1_999)).toEqual([
    { secret: "second", whose: "a later secret of the endpoint" },
  ]);
  expect(secrets.othersThan(ADDRESS, 2_000)).toEqual([
    { secret: "first", whose: "an earlier secret of the endpoint" },
  ]);
});
