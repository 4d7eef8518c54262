import { connect, type Socket } from "node:net";
import { Agent, request } from "undici";
import { expect, test } from "vitest";
import { startReferenceServer } from "../../embedded.ts";

test("silent connections from one address don't block other addresses", async () => {
  const crowded = await startReferenceServer({
    mutate: (deps) => ({
      ...deps,
      limits: { ...deps.limits, connections: { ...deps.limits.connections, perAddress: 20, maxOpen: 60 } },
    }),
  });
  const { port } = new URL(crowded.url);
  const half = Array.from({ length: 100 }, () => connect({ port: Number(port), host: "127.0.0.1" }));
  for (const socket of half) socket.on("error", () => {});
  const isOpen = (socket: Socket) => !socket.closed;
  await expect.poll(() => half.filter(isOpen).length).toBe(20);
  const agent = new Agent({ localAddress: "127.0.0.2" });
  const { statusCode, body } = await request(`${crowded.url}/healthz`, { dispatcher: agent });
  await body.dump();
  expect(statusCode).toBe(200);
  await agent.destroy();
  for (const socket of half) socket.destroy();
  await expect.poll(async () => (await fetch(`${crowded.url}/healthz`)).status).toBe(200);
  await crowded.close();
});
