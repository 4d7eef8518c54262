import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { afterEach, expect, test } from "vitest";
import { startReferenceServer } from "../../../../reference-server/embedded.ts";
import { pause } from "../../../core/clock.ts";
import { certify } from "../../certify.ts";
import { checks } from "../../checks/index.ts";
import { target } from "../../variants/legal-servers.ts";
import { type Fate, startProxy } from "./testing/proxy.ts";

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

interface Line {
  readonly keepsOpen: boolean;
  /** Milliseconds that a creation takes. During that time, another request is lost, which ends the check. */
  readonly createsAfterMs?: number;
}

/** Checks that subscribe the maximum number of endpoints, one after the other, for one integrator. */
const FIVE_ADDRESSES = ["endpoints.client-errors", "endpoints.server-errors"];

const CREATION = { method: "POST", path: /^\/v1\/webhooks$/ };
const DELETION = { method: "DELETE", path: /^\/v1\/webhooks\// };

const CASES: Readonly<Record<string, { request: typeof CREATION; way: Fate; line: Line }>> = {
  "when it was deleted": { request: DELETION, way: "request lost", line: { keepsOpen: false } },
  "when it was created": { request: CREATION, way: "response lost", line: { keepsOpen: false } },
  "when it was created, over one that was kept open": {
    request: CREATION,
    way: "response lost",
    line: { keepsOpen: true },
  },
  "while others were being created": {
    request: CREATION,
    way: "request lost",
    line: { keepsOpen: false, createsAfterMs: 1_000 },
  },
};

test.each(Object.entries(CASES))(
  "a webhook that may exist because a connection was lost %s doesn't affect other checks",
  async (_, { request: { method, path }, way, line }) => {
    const server = await startReferenceServer({ controlToken: randomBytes(24).toString("base64url") });
    open.push(() => server.close());
    let lost = 0;
    const fateOf = (incoming: IncomingMessage): Fate => {
      if (incoming.method !== method || !path.test(incoming.url ?? "")) return undefined;
      lost += 1;
      // The first creation belongs to the test whether webhooks arrive.
      return lost === 2 ? way : undefined;
    };
    const { keepsOpen, createsAfterMs = 0 } = line;
    const late = async (incoming: IncomingMessage): Promise<Fate> => {
      const fate = fateOf(incoming);
      const isDelayed = fate !== "request lost" && CREATION.path.test(incoming.url ?? "");
      if (isDelayed) await pause(createsAfterMs);
      return fate;
    };
    const proxy = await startProxy(server.url, late, keepsOpen);
    open.push(() => proxy.close());
    const control = { url: server.controlUrl ?? "", token: server.controlToken ?? "" };
    const { trouble } = await certify(
      { ...target(proxy.url, control.token), control },
      checks.filter(({ id }) => FIVE_ADDRESSES.includes(id)),
      // A run that leaves its objects deletes no endpoints of these checks.
      { jobs: 1, cleanUp: true },
    );
    expect(lost).toBeGreaterThan(2);
    expect(trouble).toEqual({});
  },
);
