import { createServer } from "node:http";
import { afterEach, expect, test } from "vitest";
import { ControlClient } from "./control.ts";
import { Redactor } from "./text/redact.ts";

const open: (() => unknown)[] = [];
afterEach(() => {
  for (const close of open.splice(0)) close();
});

/** A control interface that answers every move of a clock with this. */
async function answering(body: string): Promise<ControlClient> {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { "content-type": "application/json" }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  open.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  return new ControlClient({ url: `http://127.0.0.1:${port}`, token: "t" }, new Redactor());
}

const NOON = Date.parse("2026-05-01T12:00:00Z");

test("a clock that was moved is known by the answer, though it isn't ours to the second", async () => {
  const control = await answering(JSON.stringify({ now: "2026-05-01T12:58:30Z" }));
  await expect(control.advanceClock("a", 3600, NOON)).resolves.toBeUndefined();
});

test.for([JSON.stringify({ now: "2026-05-01T12:00:00Z" }), JSON.stringify({}), "[]"])(
  "a clock that by its answer %s stands still makes no fault of the service's",
  async (body) => {
    const control = await answering(body);
    await expect(control.advanceClock("a", 3600, NOON)).rejects.toThrow(
      "the control interface answered advanceClock by 3600 s with",
    );
  },
);
