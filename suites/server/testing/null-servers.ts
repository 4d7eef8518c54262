import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { readClauseList } from "../../core/contract/clause-list.ts";
import type { Outcome } from "../../core/grading/outcome.ts";
import { CAPABILITY_CLAIM } from "../capabilities.ts";
import { isPassive } from "../check.ts";
import { checks } from "../checks/index.ts";
import { runOnTarget } from "../run-target.ts";
import { DEFAULT_POINT, LOOPBACK_RECEIVER } from "../session/sample-data/settings.ts";

type Respond = Parameters<typeof createServer>[1];

/** Servers with the same response for every request. */
export const nullServers: Readonly<Record<string, Respond>> = {
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

const musts = new Set<string>(
  readClauseList()
    .clauses.filter(({ level }) => level === "MUST")
    .map(({ id }) => id),
);
const demanding = checks.filter((check) => check.clauses.some((id) => musts.has(id)));

/** Passive checks, and active checks that only need the API. */
export const onlyApi = demanding.filter(
  (check) => isPassive(check) || check.needs.every((need) => CAPABILITY_CLAIM[need] === "api"),
);

/** Runs these checks on a server with a constant response. */
export async function runOnNullServer(respond: Respond): Promise<ReadonlyMap<string, Outcome>> {
  const server = createServer({}, respond);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  try {
    return await runOnTarget(
      {
        url: `http://127.0.0.1:${port}`,
        credentials: [
          { client_id: "one", client_secret: "secret-of-one" },
          { client_id: "two", client_secret: "secret-of-two" },
        ],
        pairingCodes: Array.from({ length: 10 }, (_, i) => `code-number-${i}`),
        control: undefined,
        point: DEFAULT_POINT,
        answerMs: ANSWER_MS,
        maxWaitMs: 0,
        receiver: LOOPBACK_RECEIVER,
      },
      onlyApi,
      { seed: SEED, jobs: 1, keepsLimits: false },
    );
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
