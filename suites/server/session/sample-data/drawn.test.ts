import { expect, onTestFinished, test } from "vitest";
import { clause } from "../../../../openapi/generated/clauses.ts";
import { startReferenceServer } from "../../../../reference-server/embedded.ts";
import { check } from "../../check.ts";
import { runOnce } from "../../run-check.ts";
import { target } from "../../variants/legal-servers.ts";
import { newIdempotencyKey } from "../http/api.ts";
import { Session } from "../session.ts";
import { drawing, drawnUuid } from "./drawn.ts";

const TOKEN = "control-token-of-the-test";
const UUID_4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/;

test("a check's random values follow from its seeds, also in parallel; outside checks they are random", async () => {
  const drawn = (name: string) =>
    drawing({ texts: name, ids: name }, async () => {
      const first = drawnUuid();
      await Promise.resolve();
      return [first, drawnUuid()];
    });
  const [one, again, other] = await Promise.all([drawn("1 a"), drawn("1 a"), drawn("1 b")]);
  expect(one).toEqual(again);
  expect(new Set([...(one ?? []), ...(other ?? []), drawnUuid(), drawnUuid()]).size).toBe(6);
  for (const uuid of one ?? []) expect(uuid).toMatch(UUID_4);
});

test("a second run of a check has new ids, and with another integrator the same texts", async () => {
  const server = await startReferenceServer({ controlToken: TOKEN });
  onTestFinished(() => server.close());
  const session = await Session.open({
    ...target(server.url, TOKEN),
    control: { url: server.controlUrl, token: TOKEN },
  });
  onTestFinished(() => session.close());
  const ids: unknown[] = [];
  const texts: unknown[] = [];
  const drawsAnOrder = check({
    id: "example.draws",
    title: "a check that opens a delivery",
    clauses: [clause["NEW-51"]],
    async run({ api, order }) {
      const key = newIdempotencyKey();
      const { external_ref, customer } = (await api.createDelivery(await order(), { key })).body(201);
      ids.push(key, external_ref);
      texts.push(customer?.name);
    },
  });
  const run = (isConfirmation: boolean) => runOnce(drawsAnOrder, session, 7, { isConfirmation });
  const ends = [await run(false), await run(true)];
  expect(ends.map(({ outcome }) => outcome.status)).toEqual(["passed", "passed"]);
  expect(new Set(ids).size).toBe(4);
  expect(texts[1]).toBe(texts[0]);
  const integrators = session.identities.all.slice(0, 1);
  expect(integrators).toHaveLength(1);
  const again = [1, 2].map(() => session.seeds.next("example.again", 7, integrators));
  expect(again[0]?.texts).not.toBe(again[1]?.texts);
});
