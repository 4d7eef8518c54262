import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { afterEach, expect, test } from "vitest";
import { startReferenceServer } from "../../../../reference-server/embedded.ts";
import { pause } from "../../../core/clock.ts";
import { certify } from "../../certify.ts";
import { checks } from "../../checks/index.ts";
import { LOOPBACK_RECEIVER } from "../settings.ts";

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

/** Whether a request's connection is lost, and when: before it gets there, or before its answer is back. */
type Loss = (request: IncomingMessage) => "on the way there" | "on the way back" | undefined;

interface Line {
  readonly keepsOpen: boolean;
  /** How long a creation is on its way, ms: long enough for another to be lost meanwhile, and a check to end by that. */
  readonly createsAfterMs?: number;
}

/** Stands before a server, and loses connections. @returns its address */
async function startLossyProxy(
  target: string,
  { keepsOpen, createsAfterMs = 0 }: Line,
  lossOf: Loss,
): Promise<string> {
  const pass = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const loss = lossOf(incoming);
    if (loss === "on the way there") return incoming.socket.destroy();
    if (CREATION.path.test(incoming.url ?? "")) await pause(createsAfterMs);
    const { method, headers, url } = incoming;
    const onward = request(`${target}${url}`, { ...(method && { method }), headers, agent: false });
    const [, [answer]] = await Promise.all([pipeline(incoming, onward), once(onward, "response")]);
    if (loss === "on the way back") return incoming.socket.destroy();
    outgoing.writeHead(answer.statusCode, { ...answer.headers, ...(!keepsOpen && { connection: "close" }) });
    await pipeline(answer, outgoing);
  };
  const proxy = createServer((incoming, outgoing) => {
    pass(incoming, outgoing).catch(() => outgoing.destroy());
  });
  await once(proxy.listen(0, "127.0.0.1"), "listening");
  open.push(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  const address = proxy.address();
  if (typeof address !== "object" || address === null) throw new Error("the proxy has no port");
  return `http://127.0.0.1:${address.port}`;
}

/** Checks that have as many addresses as may be active, one after the other for one integrator. */
const FIVE_ADDRESSES = ["addresses.client-errors", "addresses.server-errors"];

const CREATION = { method: "POST", path: /^\/v1\/webhooks$/ };
const DELETION = { method: "DELETE", path: /^\/v1\/webhooks\// };

const CASES: Readonly<Record<string, { request: typeof CREATION; way: ReturnType<Loss>; line: Line }>> = {
  "when it was deleted": { request: DELETION, way: "on the way there", line: { keepsOpen: false } },
  "when it was created": { request: CREATION, way: "on the way back", line: { keepsOpen: false } },
  "when it was created, over one that was kept open": {
    request: CREATION,
    way: "on the way back",
    line: { keepsOpen: true },
  },
  "while others were being created": {
    request: CREATION,
    way: "on the way there",
    line: { keepsOpen: false, createsAfterMs: 1_000 },
  },
};

test.each(Object.entries(CASES))(
  "an address that may be there, since a connection was lost %s, is in no check's way",
  async (_, { request: { method, path }, way, line }) => {
    const server = await startReferenceServer({ controlToken: randomBytes(24).toString("base64url") });
    open.push(() => server.close());
    let lost = 0;
    const url = await startLossyProxy(server.url, line, (incoming) => {
      if (incoming.method !== method || !path.test(incoming.url ?? "")) return undefined;
      lost += 1;
      // The first address tells whether the receiver can be reached.
      return lost === 2 ? way : undefined;
    });
    const { trouble } = await certify(
      {
        url,
        credentials: [],
        pairingCodes: [],
        control: { url: server.controlUrl ?? "", token: server.controlToken ?? "" },
        receiver: LOOPBACK_RECEIVER,
        point: { lat: 41.0082, lng: 28.9784 },
        answerMs: 30_000,
        patienceMs: 0,
      },
      checks.filter(({ id }) => FIVE_ADDRESSES.includes(id)),
      { jobs: 1 },
    );
    expect(lost).toBeGreaterThan(2);
    expect(trouble).toEqual({});
  },
);
