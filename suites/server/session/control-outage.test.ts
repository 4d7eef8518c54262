import { createServer } from "node:http";
import { expect, test } from "vitest";
import { target } from "../variants/legal-servers.ts";
import { Session } from "./session.ts";

const ANSWERS: Readonly<Record<string, string>> = {
  "/control/": JSON.stringify({ operations: ["readCredit"], clock: "virtual" }),
  "/control/integrators/a/credit": JSON.stringify({ consumed: 7 }),
};

test("a control call during an outage is sent again when the target is back, and the outage is reported", async () => {
  const server = createServer((request, response) => {
    response
      .writeHead(200, { "content-type": "application/json" })
      .end(ANSWERS[request.url ?? ""] ?? '{"status":"ok"}');
  });
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  await listen(0);
  const address = server.address();
  const port = typeof address === "object" ? (address?.port ?? 0) : 0;
  const url = `http://127.0.0.1:${port}`;
  const session = await Session.open(
    target(url, "t"),
    // Restarts the server once the suite has detected the outage, as an operator would.
    { notice: (line) => void (/stopped responding, and may come back/.test(line) && listen(port)) },
  );
  try {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    expect(await session.control?.readCredit("a")).toBe(7);
    expect(session.outages).toEqual([
      expect.stringMatching(/^the target stopped responding.*, and was back [\d.]+ s later$/),
    ]);
  } finally {
    await session.close();
    server.closeAllConnections();
    server.close();
  }
});
