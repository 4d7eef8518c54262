import { expect, test } from "vitest";
import type { Attempt } from "./attempt.ts";
import { Inbox } from "./inbox.ts";

const attemptOf = (id: string): Attempt => ({
  receivedAt: 0,
  method: "POST",
  url: "/",
  headers: { "webhook-id": id },
  bytes: new TextEncoder().encode("{}"),
  json: { type: "webhook.test" },
});

test("a missing event is reported with one line for each event that arrived, however often it was sent", async () => {
  const inbox = new Inbox("https://receiver.example/a");
  for (const id of ["e1", "e1", "e2", "e1"]) inbox.receive(attemptOf(id));
  await expect(inbox.waitUntil(() => false, "an event", 0)).rejects.toMatchObject({
    mismatch: {
      actual: [
        "3 attempts (answered 204, 204, 204) of webhook.test, webhook-id e1",
        "1 attempt (answered 204) of webhook.test, webhook-id e2",
      ],
    },
  });
});

test("a missing event is shown with the attempts of its delivery last, without attempts that arrive later", async () => {
  const inbox = new Inbox("https://receiver.example/a");
  const of = (delivery: string) => ({ ...attemptOf(delivery), json: { data: { id: delivery } } });
  for (const delivery of ["d1", "d2", "d3"]) inbox.receive(of(delivery));
  const missing = inbox.waitUntil(() => false, "attempt 2 of delivery.created of d2", 0);
  const failure: unknown = await missing.catch((error: unknown) => error);
  inbox.receive(of("d4"));
  expect(failure).toMatchObject({ attempts: ["d1", "d3", "d2"].map(of) });
});
