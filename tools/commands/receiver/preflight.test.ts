import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { afterEach, expect, test } from "vitest";
import { DEFAULT_KINDS } from "../../../suites/core/contract/event-kinds.ts";
import { ANSWER_LIMIT_MS } from "../../../suites/receiver/session/settings.ts";
import { MAX_JOBS } from "./outlook.ts";
import { receiverPreflight } from "./preflight.ts";

const open: (() => void)[] = [];
afterEach(() => {
  for (const close of open.splice(0)) close();
});

/** The latency of a receiver that answers two events, and then as many at once as are sent to slow receivers. */
async function latencyBy(stepMs: number) {
  const waiting: ServerResponse[] = [];
  let requests = 0;
  const server = createServer((request, response) => {
    request.resume();
    requests += 1;
    if (requests <= 2) return response.writeHead(204).end();
    waiting.push(response);
    if (waiting.length === MAX_JOBS) for (const one of waiting) one.writeHead(204).end();
    return undefined;
  }).listen(0, "127.0.0.1");
  open.push(() => server.close());
  await once(server, "listening");
  const url = `http://127.0.0.1:${Object(server.address()).port}/`;
  const secret = `whsec_${randomBytes(24).toString("base64")}`;
  const limits = { answerMs: ANSWER_LIMIT_MS, limitMs: ANSWER_LIMIT_MS, returnMs: 0, effectMs: 0 };
  const target = { url, secret, effectsUrl: undefined, eventTypes: DEFAULT_KINDS, statuses: {}, ...limits };
  let time = 0;
  const latency = await receiverPreflight(target, [], undefined, () => {
    time += stepMs;
    return time;
  });
  return { latency, requests };
}

test("a slow receiver shows how many events it answers at a time", async () => {
  expect(await latencyBy(300)).toEqual({ latency: { one: 300, atOnce: 300 }, requests: 2 + MAX_JOBS });
});

test("a fast receiver gets two events", async () => {
  expect(await latencyBy(20)).toEqual({ latency: { one: 20, atOnce: undefined }, requests: 2 });
});
