/** Webhooks to addresses on this machine. */
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { LOOPBACK_RECEIVER } from "../../../../suites/server/session/settings.ts";
import type { Inbox } from "../../../../suites/server/session/webhook-receiver/inbox.ts";
import { WebhookReceiver } from "../../../../suites/server/session/webhook-receiver/receiver.ts";
import { bodyOf } from "../../api-client.ts";
import { createDelivery, type Integrator, openIntegrator } from "../integrator.ts";
import { type ServerProcess, startServer } from "../processes.ts";
import { type BenchRow, type BenchSettings, type Figure, scaled } from "../row.ts";
import { interleaved, type Spread, spreadOf } from "../spread.ts";

const perRound = 3000;
const latencies = 30;
/** Ends what hangs. */
const LONGEST_MS = 120_000;

async function subscribed(integrator: Integrator, receiver: WebhookReceiver, { url }: Inbox): Promise<void> {
  const { api, control } = integrator;
  await control.POST("/trusted-receivers", {
    body: { origin: receiver.origin, ca_pem: receiver.caPem ?? "" },
  });
  bodyOf(await api.POST("/v1/webhooks", { body: { url, event_types: ["delivery.created" as const] } }));
}

const arrived = (inbox: Inbox, count: number): Promise<void> =>
  inbox.waitUntil((attempts) => attempts.length >= count, `${count} events`, LONGEST_MS);

const create = ({ api }: Integrator) => createDelivery(api, randomUUID());

/** Events that wait in the outbox as the server starts, over the time from the first arrival to the last. */
async function perSecond(settings: BenchSettings, receiver: WebhookReceiver, round: number): Promise<number> {
  const file = join(settings.folder, `webhooks-${round}.db`);
  const inbox = receiver.inbox();
  const first = await startServer("unlimited", file);
  const integrator = await openIntegrator(first);
  await subscribed(integrator, receiver, inbox);
  await create(integrator);
  await arrived(inbox, 1);
  await first.close();
  const count = scaled(settings, perRound);
  fill(file, count);
  const server = await startServer("unlimited", file);
  try {
    await arrived(inbox, 2);
    const begin = performance.now();
    await arrived(inbox, count + 1);
    return (count - 1) / ((performance.now() - begin) / 1000);
  } finally {
    await server.close();
  }
}

/** As many more events like the first as the address hasn't got yet. */
function fill(file: string, count: number): void {
  const database = new DatabaseSync(file);
  database.exec(`
    create temp table filled as
      with recursive number(n) as (select 1 union all select n + 1 from number where n < ${count})
      select lower(hex(randomblob(16))) as id, n from number;
    insert into events
      select filled.id, integrator_id, delivery_id, type, version, occurred_at, body
      from filled, (select * from events where type = 'delivery.created');
    insert into outbox (event_id, webhook_id, state, failures, due_at, leased_until)
      select filled.id, webhook_id, 'PENDING', 0, due_at, 0 from filled, (select * from outbox limit 1)`);
  database.close();
}

/** From asking for a delivery until its event has arrived, in ms. */
async function latency(integrator: Integrator, inbox: Inbox, count: number): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < count; n++) {
    const begin = performance.now();
    const event = arrived(inbox, inbox.attempts.length + 1);
    await create(integrator);
    await event;
    times.push(performance.now() - begin);
  }
  return spreadOf(times).median;
}

async function delayByDeadAddress(settings: BenchSettings, receiver: WebhookReceiver): Promise<Figure> {
  const server: ServerProcess = await startServer("unlimited", ":memory:");
  try {
    const alone = await openIntegrator(server);
    const beside = await openIntegrator(server);
    const [inboxAlone, inboxBeside, dead] = [receiver.inbox(), receiver.inbox(), receiver.inbox()];
    dead.respondWith(() => ({ kind: "silent" }));
    await subscribed(alone, receiver, inboxAlone);
    await subscribed(beside, receiver, inboxBeside);
    await subscribed(beside, receiver, dead);
    const count = scaled(settings, latencies);
    const { first, second } = await interleaved(
      settings.rounds,
      () => latency(alone, inboxAlone, count),
      () => latency(beside, inboxBeside, count),
    );
    return {
      title: "delay by a dead address",
      unit: "ms",
      spread: difference(first, second),
      target: { is: "under", value: 50 },
      detail: `an event arrives ${second.median.toFixed(1)} ms after the request beside a dead address, ${first.median.toFixed(1)} ms alone`,
    };
  } finally {
    await server.close();
  }
}

const difference = (first: Spread, second: Spread): Spread => ({
  min: second.min - first.max,
  median: second.median - first.median,
  max: second.max - first.min,
});

export const webhooksRow: BenchRow = {
  id: "webhooks",
  how: "events that wait in the outbox of a database file, to one https address on loopback, outcomes written down; the delay: from the request to the arrival, with and without another address that never answers",
  async run(settings): Promise<readonly Figure[]> {
    const receiver = await WebhookReceiver.open(LOOPBACK_RECEIVER);
    try {
      const rates: number[] = [];
      for (let round = 0; round < settings.rounds; round++) {
        rates.push(await perSecond(settings, receiver, round));
      }
      return [
        {
          title: "webhooks to one address",
          unit: "a second",
          spread: spreadOf(rates),
          target: { is: "at least", value: 1500 },
          detail: `${scaled(settings, perRound)} events each time`,
        },
        await delayByDeadAddress(settings, receiver),
      ];
    } finally {
      await receiver.close();
    }
  },
};
