/** Webhooks to addresses on this machine. */
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { openReceiver, silence, type TestReceiver } from "../../../../reference-server/testing/receiver.ts";
import { createDelivery, type Integrator, openIntegrator, taken } from "../integrator.ts";
import { type ServerProcess, startServer } from "../processes.ts";
import { type BenchRow, type BenchSettings, type Figure, scaled } from "../row.ts";
import { interleaved, type Spread, spreadOf } from "../spread.ts";

const perRound = 3000;
const latencies = 30;

async function subscribed(integrator: Integrator, receiver: TestReceiver, path: string): Promise<void> {
  const { api, control } = integrator;
  await control.POST("/trusted-receivers", { body: { origin: receiver.origin, ca_pem: receiver.ca } });
  const wish = { url: `${receiver.origin}${path}`, event_types: ["delivery.created" as const] };
  taken(await api.POST("/v1/webhooks", { body: wish }));
}

const create = ({ api }: Integrator) => createDelivery(api, randomUUID());

/** Events that wait in the outbox as the server starts, over the time from the first arrival to the last. */
async function perSecond(settings: BenchSettings, receiver: TestReceiver, round: number): Promise<number> {
  const file = join(settings.folder, `webhooks-${round}.db`);
  const path = `/round-${round}`;
  const first = await startServer("unlimited", file);
  const integrator = await openIntegrator(first);
  await subscribed(integrator, receiver, path);
  await create(integrator);
  await receiver.until(path, 1);
  await first.close();
  const count = scaled(settings, perRound);
  fill(file, count);
  const server = await startServer("unlimited", file);
  try {
    await receiver.until(path, 2);
    const begin = performance.now();
    await receiver.until(path, count + 1);
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
async function latency(
  integrator: Integrator,
  receiver: TestReceiver,
  path: string,
  count: number,
): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < count; n++) {
    const begin = performance.now();
    const arrived = receiver.until(path, receiver.at(path).length + 1);
    await create(integrator);
    await arrived;
    times.push(performance.now() - begin);
  }
  return spreadOf(times).median;
}

async function delayByDeadAddress(settings: BenchSettings, receiver: TestReceiver): Promise<Figure> {
  const server: ServerProcess = await startServer("unlimited", ":memory:");
  try {
    const alone = await openIntegrator(server);
    const beside = await openIntegrator(server);
    await subscribed(alone, receiver, "/alone");
    await subscribed(beside, receiver, "/beside");
    await subscribed(beside, receiver, "/dead");
    receiver.answer("/dead", silence);
    const count = scaled(settings, latencies);
    const { first, second } = await interleaved(
      settings.rounds,
      () => latency(alone, receiver, "/alone", count),
      () => latency(beside, receiver, "/beside", count),
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
    const receiver = await openReceiver();
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
          target: { is: "at least", value: 1000 },
          detail: `${scaled(settings, perRound)} events each time`,
        },
        await delayByDeadAddress(settings, receiver),
      ];
    } finally {
      await receiver.close();
    }
  },
};
