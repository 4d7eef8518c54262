import { expect, onTestFinished, test } from "vitest";
import { startReferenceServer } from "../../../../reference-server/embedded.ts";
import { target } from "../../variants/legal-servers.ts";
import { startProxy } from "../identities/testing/proxy.ts";
import { MAX_IN_FLIGHT } from "../limits/in-flight.ts";
import { Session } from "../session.ts";
import { Api } from "./api.ts";

const TOKEN = "control-token-of-the-test";
const MORE = 8;
/** The number of failed health requests. */
const POLLS_UNTIL_BACK = MAX_IN_FLIGHT + MORE;

/**
 * Starts a server that stops, without responding, once the maximum number of concurrent registrations has
 * arrived.
 */
async function onServerThatGoesAway() {
  const server = await startReferenceServer({ controlToken: TOKEN });
  onTestFinished(() => server.close());
  const all = Promise.withResolvers<void>();
  let registrations = 0;
  let cameWhileAway = 0;
  let pollsLeft = 0;
  const proxy = await startProxy(server.url, async ({ url }) => {
    const isAway = pollsLeft > 0;
    if (url === "/healthz") pollsLeft -= 1;
    if (url !== "/v1/stores") return isAway ? "request lost" : undefined;
    registrations += 1;
    if (isAway) cameWhileAway += 1;
    if (registrations > MAX_IN_FLIGHT) return isAway ? "request lost" : undefined;
    if (registrations === MAX_IN_FLIGHT) {
      pollsLeft = POLLS_UNTIL_BACK;
      all.resolve();
    }
    await all.promise;
    return "request lost";
  });
  onTestFinished(() => proxy.close());
  const control = { url: server.controlUrl, token: TOKEN };
  const session = await Session.open({ ...target(proxy.url, TOKEN), control });
  onTestFinished(() => session.close());
  const api = new Api({
    transport: session.transport,
    baseUrl: proxy.url,
    address: () => session.addresses.first,
    token: async () => "token",
    record: () => {},
  });
  return { session, api, cameWhileAway: () => cameWhileAway };
}

test("a target that stops gets no further requests; pending ones are reported", async () => {
  const { session, api, cameWhileAway } = await onServerThatGoesAway();
  const body = { pairing_code: "K", external_store_id: "s" };
  const sent = Array.from({ length: MAX_IN_FLIGHT + MORE }, () =>
    api.sendInvalid("registerStore", "a rule of the test", { body }),
  );
  const ends = await Promise.allSettled(sent);
  expect(ends.map(({ status }) => status)).toEqual([
    ...Array.from({ length: MAX_IN_FLIGHT }, () => "rejected"),
    ...Array.from({ length: MORE }, () => "fulfilled"),
  ]);
  expect(cameWhileAway()).toBe(0);
  expect(session.outages).toEqual([
    expect.stringContaining(`while ${MAX_IN_FLIGHT - 1} other requests were under way`),
  ]);
});
