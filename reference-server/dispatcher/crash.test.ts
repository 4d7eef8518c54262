import { type ChildProcess, fork } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  type Account,
  accountAt,
  createDelivery,
  linkStore,
  openAccount,
  type Reachable,
} from "../testing/accounts.ts";
import { openReceiver, type TestReceiver } from "../testing/receiver.ts";

/** The number of kills, and of concurrent creations at each. Nightly runs use larger numbers. */
const kills = Number(process.env.KILLS ?? 30);
const atOnce = 4;
/** A server is killed after a random number of answered creations, below this. */
const longestLife = 8;
const controlToken = "a-token-of-the-test";

let folder: string;
let receiver: TestReceiver;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "crash-"));
  receiver = await openReceiver();
});
afterAll(async () => {
  standby.stop();
  await receiver.close();
  rmSync(folder, { recursive: true });
});

/** Processes that have loaded the server and wait to start it, so that replacing a killed process takes only a start. */
const standby = {
  waiting: [] as { child: ChildProcess; ready: Promise<unknown> }[],

  add(): void {
    const env = { ...process.env, NODE_COMPILE_CACHE: join(folder, "compiled") };
    const child = fork(new URL("../testing/crash-server.ts", import.meta.url), { env, execArgv: [] });
    this.waiting.push({ child, ready: once(child, "message") });
  },

  /** Starts a waiting process, and prepares a new one. */
  async start(): Promise<{ child: ChildProcess; server: Promise<Reachable> }> {
    while (this.waiting.length < 3) this.add();
    const next = this.waiting.shift();
    if (next === undefined) throw new Error("no process is waiting");
    await next.ready;
    const server = once(next.child, "message").then(([{ url }]) => ({
      url,
      controlUrl: `${url}/control`,
      controlToken,
    }));
    next.child.send({ database: join(folder, "crash.db"), controlToken });
    return { child: next.child, server };
  },

  stop(): void {
    for (const { child } of this.waiting) child.kill("SIGKILL");
  },
};

test(`nothing is lost when the server is killed ${kills} times while it opens deliveries`, async () => {
  const prepared = await prepare();
  /** Answered creations: delivery ids by idempotency key. */
  const answered = new Map<string, string>();
  const answers = new EventEmitter();
  /** Keys of requests that ended without a response. */
  const open: string[] = [];
  let named = 0;

  const create = async (account: Account, key: string) => {
    const answer = await createDelivery(account, key).set("idempotency-key", key);
    if (answer.status !== 201 && answer.status !== 200) throw new Error(`answered ${answer.status}`);
    answered.set(key, answer.body.id);
    answers.emit("answer");
  };
  /** Repeats the unanswered creations, then creates deliveries one after another until the server is killed. */
  const createUntilGone = async (account: Account) => {
    for (;;) {
      const key = open.shift() ?? `delivery-${++named}`;
      try {
        await create(account, key);
      } catch {
        return key;
      }
    }
  };

  for (let kill = 0; kill < kills; kill++) {
    const { child, server } = await standby.start();
    const gone = once(child, "exit");
    const account = accountAt(await server, prepared);
    const creating = Promise.all(Array.from({ length: atOnce }, () => createUntilGone(account)));
    // The kill may come during a creation, between the creation's commit and its events, or while events are sent or recorded.
    const due = answered.size + Math.floor(Math.random() * longestLife);
    while (answered.size < due) await once(answers, "answer");
    await pause(Math.random() * 10);
    child.kill("SIGKILL");
    open.push(...(await creating));
    await gone;
  }
  expect(answered.size).toBeGreaterThan(kills);

  const { child, server } = await standby.start();
  const account = accountAt(await server, prepared);
  await Promise.all(open.map((key) => create(account, key)));
  const ids = [...answered.values()];
  expect(new Set(ids).size).toBe(named);
  expect((await listed(account)).sort()).toEqual(ids.toSorted());
  await settled(named * 2);
  child.kill("SIGKILL");

  const events = new Map<string, Set<string>>();
  for (const { event, headers } of receiver.at("/hook")) {
    const what = `${event.type} of ${event.data?.id}`;
    events.set(what, (events.get(what) ?? new Set()).add(String(headers["webhook-id"])));
  }
  const due = ids.flatMap((id) => [`delivery.created of ${id}`, `delivery.queued of ${id}`]);
  expect([...events.keys()].sort()).toEqual(due.sort());
  // Some events were sent by a process that was killed before it recorded them.
  expect(receiver.at("/hook").length).toBeGreaterThan(due.length);
  expect([...events.values()].filter((seen) => seen.size > 1)).toEqual([]);
});

/** An integrator with a store and an endpoint, created on the first server. */
async function prepare(): Promise<Account> {
  const { child, server } = await standby.start();
  const account = await openAccount(await server);
  await linkStore(account);
  await account.control
    .post("/trusted-receivers")
    .send({ origin: receiver.origin, ca_pem: receiver.ca })
    .expect(204);
  await account.api
    .post("/v1/webhooks")
    .send({ url: `${receiver.origin}/hook` })
    .expect(201);
  child.kill("SIGKILL");
  await once(child, "exit");
  return account;
}

async function listed({ api }: Account): Promise<string[]> {
  const ids: string[] = [];
  let path = "/v1/deliveries?limit=200";
  for (;;) {
    const { body } = await api.get(path).expect(200);
    for (const { id } of body.items) ids.push(id);
    if (!body.has_more) return ids;
    path = `/v1/deliveries?limit=200&since=${encodeURIComponent(body.next_cursor)}`;
  }
}

/** Waits until this number of different events has arrived. */
async function settled(count: number): Promise<void> {
  const different = () => new Set(receiver.at("/hook").map(({ event }) => event.id)).size;
  while (different() < count) await receiver.until("/hook", receiver.at("/hook").length + 1);
}
