import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { afterEach, expect, test } from "vitest";
import { DEFAULT_KINDS } from "../../../suites/core/contract/event-kinds.ts";
import { ANSWER_LIMIT_MS } from "../../../suites/receiver/session/settings.ts";
import { BURSTS, MAX_JOBS } from "./outlook.ts";
import { receiverPreflight } from "./preflight.ts";

const open: (() => void)[] = [];
afterEach(() => {
  for (const close of open.splice(0)) close();
});

/**
 * Measures the latency of a receiver that responds to a burst once all of it has arrived, with these statuses in turn.
 */
async function latencyBy(stepMs: number, statuses: readonly number[] = [204]) {
  const waiting: ServerResponse[] = [];
  const sizes = [1, ...BURSTS];
  let requests = 0;
  const server = createServer((request, response) => {
    request.resume();
    requests += 1;
    waiting.push(response);
    if (waiting.length < (sizes[0] ?? 0)) return;
    sizes.shift();
    for (const [i, one] of waiting.splice(0).entries())
      one.writeHead(statuses[i % statuses.length] ?? 204).end();
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

test("a slow receiver's number of concurrent events is measured", async () => {
  expect(await latencyBy(300)).toEqual({
    latency: { one: 300, burst: { size: MAX_JOBS, answered: MAX_JOBS, ms: 300 } },
    requests: 1 + 8 + MAX_JOBS,
  });
});

test("refused events are counted too", async () => {
  const { latency } = await latencyBy(300, [204, 503]);
  expect(latency.burst).toEqual({ size: MAX_JOBS, answered: MAX_JOBS / 2, ms: 300 });
});

test("a fast receiver gets one event", async () => {
  expect(await latencyBy(20)).toEqual({ latency: { one: 20, burst: undefined }, requests: 1 });
});
