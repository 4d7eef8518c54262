import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { readLedger } from "../core/ledger.ts";
import { CAPABILITY_CLAIM } from "./capabilities.ts";
import { isExperiment, isPassive } from "./check.ts";
import { checks } from "./checks/index.ts";
import { Watch } from "./passive-observer.ts";
import { examine } from "./run-check.ts";
import { Session } from "./session/session.ts";
import { LOOPBACK_RECEIVER } from "./session/settings.ts";

type Respond = Parameters<typeof createServer>[1];

/** Servers that answer everything alike. */
const nullServers: Readonly<Record<string, Respond>> = {
  "200 {}": (_, response) => response.writeHead(200, { "content-type": "application/json" }).end("{}"),
  "200 []": (_, response) => response.writeHead(200, { "content-type": "application/json" }).end("[]"),
  "201 {}": (_, response) => response.writeHead(201, { "content-type": "application/json" }).end("{}"),
  "204": (_, response) => response.writeHead(204).end(),
  "404": (_, response) => response.writeHead(404).end(),
  "401 with an error body": (_, response) =>
    response
      .writeHead(401, { "content-type": "application/json" })
      .end(JSON.stringify({ error: { code: "KIMLIK_YOK", message: "yok" } })),
  "500": (_, response) => response.writeHead(500).end("oops"),
  HTML: (_, response) =>
    response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><p>Hello"),
  "a closed connection": (request) => request.socket.destroy(),
  silence: () => {},
};

const ANSWER_MS = 300;
const SEED = 1;

let server: Server | undefined;

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function listen(respond: Respond): Promise<string> {
  const started = createServer({}, respond);
  server = started;
  await new Promise<void>((resolve) => started.listen(0, "127.0.0.1", resolve));
  const { port } = started.address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
}

const musts = new Set<string>(
  readLedger()
    .clauses.filter(({ level }) => level === "MUST")
    .map(({ id }) => id),
);
const demanding = checks.filter((check) => check.clauses.some((id) => musts.has(id)));

describe("a server that answers everything alike passes no MUST", () => {
  for (const [name, respond] of Object.entries(nullServers)) {
    test(name, { timeout: 120_000 }, async () => {
      const passive = demanding.filter(isPassive);
      const watch = new Watch(passive);
      const session = await Session.open(
        {
          url: await listen(respond),
          credentials: [
            { client_id: "one", client_secret: "secret-of-one" },
            { client_id: "two", client_secret: "secret-of-two" },
          ],
          pairingCodes: Array.from({ length: 10 }, (_, i) => `code-number-${i}`),
          control: undefined,
          point: { lat: 41.0082, lng: 28.9784 },
          answerMs: ANSWER_MS,
          patienceMs: 0,
          receiver: LOOPBACK_RECEIVER,
        },
        { observe: (exchange) => watch.observe(exchange), keepsLimits: false },
      );
      const passed: string[] = [];
      const errored: string[] = [];
      const onlyApi = demanding
        .filter(isExperiment)
        .filter(({ needs }) => needs.every((need) => CAPABILITY_CLAIM[need] === "api"));
      for (const check of onlyApi) {
        const { status, message } = await examine(check, session, SEED);
        if (status === "passed") passed.push(check.id);
        if (status === "errored") errored.push(`${check.id}: ${message}`);
      }
      passed.push(
        ...passive
          .filter((check) => watch.outcome(check, session.redact).status === "passed")
          .map(({ id }) => id),
      );
      await session.close();
      expect(passed).toEqual([]);
      expect(errored).toEqual([]);
    });
  }
});
