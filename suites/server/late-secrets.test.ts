import { createServer, type ServerResponse } from "node:http";
import { afterEach, expect, test } from "vitest";
import { pause } from "../core/clock.ts";
import { Redactor } from "../core/text/redact.ts";
import { isActive } from "./check.ts";
import { checks } from "./checks/index.ts";
import { runOnce } from "./run-check.ts";
import { Session } from "./session/session.ts";
import { target } from "./variants/legal-servers.ts";

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close();
});

const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const LATE_MS = 200;

/**
 * A service whose control interface creates no integrator, and repeats in its error the secret that another
 * response contains. That response follows later.
 */
async function repeatingService(redact?: Redactor): Promise<Session> {
  const held: ServerResponse[] = [];
  const server = createServer((request, response) => {
    request.resume();
    response.setHeader("content-type", "application/json");
    const { url = "" } = request;
    if (url === "/control/") {
      response.end(JSON.stringify({ operations: ["createIntegrator", "issueToken"], clock: "virtual" }));
    } else if (url === "/control/integrators") {
      response.writeHead(500).end(JSON.stringify({ error: { code: "X", message: `debug: ${SECRET}` } }));
      void pause(LATE_MS).then(() => {
        const body = {
          access_token: SECRET,
          token_type: "Bearer",
          secret: SECRET,
          expires_in: 1800,
          id: "1",
        };
        for (const one of held.splice(0)) one.writeHead(201).end(JSON.stringify(body));
      });
    } else if (request.method === "POST") held.push(response);
    else response.end('{"status":"ok"}');
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  open.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === "object" ? (address?.port ?? 0) : 0;
  const session = await Session.open(target(`http://127.0.0.1:${port}`, "t"), { redact });
  open.push(() => session.close());
  return session;
}

/** Requests of secrets that are pending while a check ends. */
const pending: readonly (readonly [name: string, ask: (session: Session) => Promise<unknown> | undefined])[] =
  [
    ["a token of the control interface", ({ control }) => control?.issueToken("a")],
    [
      "a webhook secret",
      ({ transport, settings, addresses }) =>
        transport.send(
          {
            operation: "createWebhook",
            method: "POST",
            url: `${settings.url}/v1/webhooks`,
            headers: {},
            body: "{}",
            address: addresses.first,
            violates: undefined,
            budgets: [],
            keepsBudget: false,
            honourLimits: false,
          },
          () => {},
        ),
    ],
  ];

test.each(pending)(
  "the message of a check that ends before %s arrives doesn't contain it",
  async (_, ask) => {
    const session = await repeatingService();
    const [check] = checks.filter(isActive);
    if (!check) throw new Error("there are no checks");
    const asked = ask(session);
    const { outcome } = await runOnce(check, session, 1);
    expect(outcome.message).toContain("debug: [redacted]");
    await asked;
  },
);

test("the caller's redactor learns the secrets of a run, for its own output", async () => {
  const redact = new Redactor();
  const session = await repeatingService(redact);
  const asked = session.control?.issueToken("a");
  await session.control?.createIntegrator("integrator").catch(() => {});
  await asked;
  expect(redact.text(`a container's log: ${SECRET}`)).toBe("a container's log: [redacted]");
});
