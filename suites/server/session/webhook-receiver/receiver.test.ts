import { Agent, request } from "undici";
import { afterEach, expect, test } from "vitest";
import { CheckSkipped } from "../../../core/grading/failures/failure.ts";
import { described } from "../../../core/text/shown-value.ts";
import { LOOPBACK_RECEIVER } from "../sample-data/settings.ts";
import { WebhookReceiver } from "./receiver.ts";

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

const KB = 1024;

async function aReceiver(limits: { bytes: number; attempts: number }) {
  const excesses: string[] = [];
  const receiver = await WebhookReceiver.open(LOOPBACK_RECEIVER, {
    limits,
    onExcess: (excess) => excesses.push(excess),
  });
  const dispatcher = new Agent({ connect: { rejectUnauthorized: false } });
  open.push(
    () => receiver.close(),
    () => dispatcher.destroy(),
  );
  const post = async (url: string, bytes: number) => {
    const response = await request(url, { method: "POST", body: Buffer.alloc(bytes, 0x20), dispatcher });
    await response.body.dump();
    return response.statusCode;
  };
  return { receiver, excesses, post };
}

test("all webhooks of an ordinary run are kept", async () => {
  const { receiver, excesses, post } = await aReceiver({ bytes: 64 * KB, attempts: 10 });
  const inbox = receiver.inbox();
  for (let sent = 0; sent < 10; sent += 1) expect(await post(inbox.url, 4 * KB)).toBe(204);
  expect(inbox.attempts).toHaveLength(10);
  expect(excesses).toEqual([]);
});

test.each([
  ["bodies without end", 40 * KB, /webhooks of more than 0.0625 MB/],
  ["webhooks without end", 10, /more than 10 webhooks/],
])("over %s no more are accepted, and each waiting check is notified", async (_, size, words) => {
  const { receiver, excesses, post } = await aReceiver({ bytes: 64 * KB, attempts: 10 });
  const [flooded, waiting] = [receiver.inbox(), receiver.inbox()];
  const waited = waiting.waitForFirst(() => true, "an event").catch((error: unknown) => error);
  const burst = async () => {
    for (;;) await post(flooded.url, size);
  };
  await expect(burst()).rejects.toThrow();
  expect(excesses).toEqual([expect.stringMatching(words)]);
  const rejection = await waited;
  expect(rejection).toBeInstanceOf(CheckSkipped);
  expect(String(rejection)).toMatch(words);
  await expect(receiver.inbox().waitForFirst(() => true, "an event")).rejects.toThrow(words);
});

test("a check that waits for an event is notified of a webhook with an unparsable body", async () => {
  const { receiver, post } = await aReceiver({ bytes: 64 * KB, attempts: 10 });
  const inbox = receiver.inbox();
  await post(inbox.url, 3);
  const waited = inbox.waitForFirst(({ json }) => json !== undefined, "an event", 0);
  await expect(waited).rejects.toMatchObject({
    message: `expected an event, got a body that begins     (3 characters), which isn't JSON`,
    mismatch: { actual: described("a body that begins     (3 characters), which isn't JSON") },
    fault: "webhooks arrive whose bodies aren't JSON",
  });
});

test.each([
  ["HEAD", {}, 0],
  ["GET", {}, 0],
  ["OPTIONS", { origin: "https://dispatch.example" }, 0],
  ["GET", { "webhook-id": "1" }, 1],
  ["HEAD", { "webhook-id": "1" }, 1],
  ["POST", {}, 1],
  ["PUT", {}, 1],
] as const)("a %s with %o is an attempt: %i", async (method, headers, attempts) => {
  const { receiver } = await aReceiver({ bytes: KB, attempts: 10 });
  const dispatcher = new Agent({ connect: { rejectUnauthorized: false } });
  open.push(() => dispatcher.destroy());
  const inbox = receiver.inbox();
  const response = await request(inbox.url, { method, headers, dispatcher });
  await response.body.dump();
  expect(response.statusCode).toBe(204);
  expect(inbox.attempts).toHaveLength(attempts);
});

test("a body for an unknown path isn't kept", async () => {
  const { receiver, excesses, post } = await aReceiver({ bytes: KB, attempts: 1 });
  for (let sent = 0; sent < 3; sent += 1) expect(await post(`${receiver.baseUrl}/nobody`, 40 * KB)).toBe(404);
  expect(excesses).toEqual([]);
});

test("idle connections are kept longer than senders keep them, so that none is closed during the next webhook", async () => {
  const { receiver } = await aReceiver({ bytes: 64 * KB, attempts: 10 });
  const dispatcher = new Agent({ connect: { rejectUnauthorized: false } });
  open.push(() => dispatcher.destroy());
  const response = await request(receiver.inbox().url, { method: "POST", body: "{}", dispatcher });
  await response.body.dump();
  const [, seconds] = /timeout=(\d+)/.exec(String(response.headers["keep-alive"])) ?? [];
  expect(Number(seconds)).toBeGreaterThanOrEqual(300);
});

test("a closing receiver doesn't wait for idle connections", async () => {
  const { receiver, post } = await aReceiver({ bytes: 64 * KB, attempts: 10 });
  await post(receiver.inbox().url, 1);
  await receiver.close();
  await expect(post(receiver.inbox().url, 1)).rejects.toThrow();
});

test("a responder that throws ends its own check, and not the run", async () => {
  const { receiver, post } = await aReceiver({ bytes: 64 * KB, attempts: 10 });
  const inbox = receiver.inbox();
  const waited = inbox.waitForAtLeast(2, () => true, "an event").catch((error: unknown) => error);
  inbox.respondWith(() => {
    throw new TypeError("a fault of the check");
  });
  expect(await post(inbox.url, KB)).toBe(500);
  expect(await waited).toMatchObject({ message: "a fault of the check" });
  expect(() => inbox.rethrowFault()).toThrow("a fault of the check");
  await expect(inbox.arrives(() => true)).rejects.toThrow("a fault of the check");
});

test("a condition that throws ends its own wait, and the attempt is answered", async () => {
  const { receiver, post } = await aReceiver({ bytes: 64 * KB, attempts: 10 });
  const inbox = receiver.inbox();
  const throwing = (attempts: readonly unknown[]) => {
    if (attempts.length > 0) throw new TypeError("a fault of the condition");
    return false;
  };
  const waited = inbox.arrives(throwing).catch((error: unknown) => error);
  const other = inbox.arrives((attempts) => attempts.length > 0);
  expect(await post(inbox.url, KB)).toBe(204);
  expect(await waited).toMatchObject({ message: "a fault of the condition" });
  expect(await other).toBe(true);
});
