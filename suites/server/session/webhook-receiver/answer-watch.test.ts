import { once } from "node:events";
import { connect } from "node:net";
import * as tls from "node:tls";
import { expect, onTestFinished, test } from "vitest";
import { pause, poll } from "../../../core/clock.ts";
import { LOOPBACK_RECEIVER } from "../sample-data/settings.ts";
import { answerWith } from "./reaction.ts";
import { WebhookReceiver } from "./receiver.ts";

async function watched(isDelayed: boolean) {
  const overdue: string[] = [];
  const receiver = await WebhookReceiver.open(LOOPBACK_RECEIVER, {
    watch: { onOverdue: (what) => overdue.push(what), isDelayed: () => isDelayed },
  });
  onTestFinished(() => receiver.close());
  const port = Number(new URL(receiver.origin).port);
  const reported = (what: RegExp) =>
    poll(async () => overdue.find((line) => what.test(line)), { within: 30_000 });
  return { receiver, overdue, port, told: reported };
}

async function sends(port: number, text: string): Promise<tls.TLSSocket> {
  const socket = tls.connect({ port, rejectUnauthorized: false });
  socket.on("error", () => {});
  await once(socket, "secureConnect");
  socket.write(text);
  return socket;
}

const head = (url: string, length: number) =>
  `POST ${new URL(url).pathname} HTTP/1.1\r\nhost: x\r\ncontent-length: ${length}\r\n\r\n`;

test("an attempt that is given up in the handshake is reported if this process is blocked", async () => {
  const { port, told } = await watched(true);
  const socket = connect(port);
  await once(socket, "connect");
  socket.destroy();
  expect(await told(/TLS handshake/)).toBeDefined();
});

test("an attempt whose body breaks off is reported too", async () => {
  const { receiver, port, told } = await watched(true);
  const socket = await sends(port, head(receiver.inbox().url, 10));
  await pause(50);
  socket.destroy();
  expect(await told(/in its body/)).toBeDefined();
});

test("an attempt that the target aborts while this process isn't late isn't reported", async () => {
  const { receiver, overdue, port } = await watched(false);
  const inbox = receiver.inbox();
  const [started, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  inbox.respondWith(() => {
    started.resolve();
    return { kind: "hold", until: ended.promise, reaction: answerWith(204) };
  });
  const socket = await sends(port, `${head(inbox.url, 2)}{}`);
  await started.promise;
  socket.destroy();
  await pause(50);
  ended.resolve();
  await pause(50);
  expect(overdue).toEqual([]);
});

test("a response that is delayed on purpose is overdue only after its delay", async () => {
  const { receiver, overdue, port, told } = await watched(true);
  const inbox = receiver.inbox();
  const held = Promise.withResolvers<void>();
  const started = Promise.withResolvers<void>();
  inbox.respondWith(() => {
    started.resolve();
    return { kind: "hold", until: held.promise, reaction: answerWith(204) };
  });
  const socket = await sends(port, `${head(inbox.url, 2)}{}`);
  await started.promise;
  socket.destroy();
  await pause(50);
  expect(overdue).toEqual([]);
  held.resolve();
  expect(await told(/before its answer/)).toBeDefined();
});
