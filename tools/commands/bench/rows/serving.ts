/** Creating and reading deliveries, against a bare route that writes and reads the same. */
import type { paths } from "../../../../openapi/generated/courier-dispatch.ts";
import { apiClient } from "../../api-client.ts";
import { createDelivery, openIntegrator } from "../integrator.ts";
import { type LoadRequest, load } from "../load.ts";
import { order } from "../order.ts";
import { type ServerProcess, startServer } from "../processes.ts";
import { type BenchRow, type BenchSettings, type Figure, scaled } from "../row.ts";
import type { StartMessage } from "../server-process.ts";
import { interleaved } from "../spread.ts";

const perRound = 3000;

let named = 0;

function creation(token: string): () => LoadRequest {
  return () => {
    const reference = `bench-${++named}`;
    return {
      method: "POST",
      path: "/v1/deliveries",
      headers: {
        "content-type": "application/json",
        authorization: `Bearer ${token}`,
        "idempotency-key": `key-of-${reference}`,
      },
      body: JSON.stringify(order(reference)),
    };
  };
}

/** A server with someone to serve; `measure` sends so many and gives the cost of one, in ms. */
interface Contestant {
  readonly server: ServerProcess;
  readonly create: () => LoadRequest;
  readonly read: () => LoadRequest;
}

async function contestant(kind: StartMessage["kind"], database: string): Promise<Contestant> {
  const server = await startServer(kind, database);
  const token = kind === "unlimited" ? (await openIntegrator(server)).token : "none";
  const create = creation(token);
  const { id } = await createDelivery(apiClient<paths>(server.url, token), `first-${++named}`);
  const authorization = `Bearer ${token}`;
  const read = () => ({ method: "GET" as const, path: `/v1/deliveries/${id}`, headers: { authorization } });
  return { server, create, read };
}

/** What one request costs: processor time of the server, or wall time where others do the work. */
type Cost = "processor" | "wall";

async function compare(
  settings: BenchSettings,
  cost: Cost,
  bare: Contestant,
  ours: Contestant,
): Promise<readonly Figure[]> {
  const count = scaled(settings, perRound);
  const measure =
    (status: number, { server }: Contestant, request: () => LoadRequest) =>
    async () => {
      const before = await server.usage();
      const seconds = await load(server.url, count, status, request);
      const after = await server.usage();
      return cost === "wall" ? count / seconds : (count / (after.cpuMs - before.cpuMs)) * 1000;
    };
  const figures: Figure[] = [];
  for (const [title, least, status, pick] of [
    ["creating a delivery", 0.6, 201, (it: Contestant) => it.create],
    ["reading a delivery", 0.6, 200, (it: Contestant) => it.read],
  ] as const) {
    const [first, second] = [bare, ours].map((it) => measure(status, it, pick(it)));
    if (first === undefined || second === undefined) throw new Error("two are compared");
    // Both are compiled and warm before they are compared.
    await first();
    await second();
    const { first: theirs, second: own, ratio } = await interleaved(settings.rounds, first, second);
    const per = cost === "wall" ? "second" : "second of processor time";
    figures.push({
      title,
      unit: "of bare",
      spread: ratio,
      target: { is: "at least", value: least },
      detail: `${Math.round(own.median)} against ${Math.round(theirs.median)} a ${per}`,
    });
  }
  return figures;
}

async function contest(
  settings: BenchSettings,
  cost: Cost,
  bareKind: StartMessage["kind"],
  database: string,
): Promise<readonly Figure[]> {
  const bare = await contestant(bareKind, database);
  try {
    const ours = await contestant("unlimited", database);
    try {
      return await compare(settings, cost, bare, ours);
    } finally {
      await ours.server.close();
    }
  } finally {
    await bare.server.close();
  }
}

export const sqliteServing: BenchRow = {
  id: "serving",
  how: "requests per second of the server's processor time, over 16 connections, SQLite in memory; bare: a Fastify route with the same inserts and updates in one transaction, or the same select, and the same JSON",
  run: (settings) => contest(settings, "processor", "bare-sqlite", ":memory:"),
};

export const postgresServing: BenchRow = {
  id: "postgres",
  how: "requests per second of wall time, over 16 connections; bare: a Fastify route with the same SQL on the same database",
  async run(settings) {
    if (settings.postgresUrl === undefined) return "BENCH_POSTGRES_URL names no database";
    return contest(settings, "wall", "bare-postgres", settings.postgresUrl);
  },
};
