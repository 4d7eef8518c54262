import { afterEach, expect, test, vi } from "vitest";
import { startReferenceServer } from "../../reference-server/embedded.ts";
import { readClauseList } from "../core/contract/clause-list.ts";
import { checks } from "./checks/index.ts";
import { ConformanceError, defineTarget, type TestedTarget } from "./define-target.ts";
import { mutantOf } from "./mutants/index.ts";
import type { Mutant } from "./mutants/mutant.ts";
import { timeLimitMs } from "./schedule/time-limit.ts";

const token = "control-token-of-the-test";
const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

async function targetAt(mutate?: Mutant["mutate"], definition?: Partial<TestedTarget>) {
  const server = await startReferenceServer({ controlToken: token, ...(mutate && { mutate }) });
  open.push(() => server.close());
  const target = defineTarget({
    url: server.url,
    control: { url: server.controlUrl, token },
    ...definition,
  });
  open.push(() => target.close());
  return target;
}

function checkOf(id: string) {
  const check = checks.find((one) => one.id === id);
  if (!check) throw new Error(`there is no check ${id}`);
  return check;
}

const replay = checkOf("emission.repeated-creation");

test("verify resolves for a check that passes, and for a passive check of its exchanges", async () => {
  const target = await targetAt();
  await target.verify(replay);
  await target.verify(checkOf("passive.rate-headers-on-success"));
});

test("verify throws the failure of a check", async () => {
  const target = await targetAt(mutantOf("repeat-reported").mutate);
  const thrown: unknown = await target.verify(replay).catch((error: unknown) => error);
  expect(thrown).toBeInstanceOf(ConformanceError);
  expect(thrown).toMatchObject({ check: replay.id, outcome: { status: "failed" } });
  const [clause] = replay.clauses.flatMap((id) => readClauseList().clauses.filter((one) => one.id === id));
  expect(String(thrown)).toContain(clause?.text);
  expect(String(thrown)).toMatch(/^POST \/v1\/deliveries → 20\d/m);
  expect(String(thrown)).toMatch(/^webhook delivery\.created of /m);
});

test("each check has a time limit, which is longer if the check waits for minutes", () => {
  const plain = timeLimitMs(checkOf("health.ok"));
  expect(plain).toBeGreaterThanOrEqual(60_000);
  expect(timeLimitMs(checkOf("models.life-with-a-courier"))).toBeGreaterThan(plain);
  expect(timeLimitMs(checkOf("retries.schedule"), 120_000)).toBe(plain + 120_000);
  expect(Math.min(...checks.map((check) => timeLimitMs(check)))).toBe(plain);
});

test("a check that isn't testable skips the test, or throws without a test context", async () => {
  const server = await startReferenceServer({ controlToken: token });
  open.push(() => server.close());
  const target = defineTarget({
    url: server.url,
    credentials: [{ client_id: "pos", client_secret: "none" }],
  });
  open.push(() => target.close());
  const skip = vi.fn();
  await target.verify(checkOf("courier.assignment"), { skip });
  expect(skip).toHaveBeenCalledWith(expect.stringContaining("actAsCourier"));
  await expect(target.verify(checkOf("courier.assignment"))).rejects.toThrow("not_verified");
});
