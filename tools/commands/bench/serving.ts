/** Measures how long the server takes to create, read and list deliveries, relative to a baseline. */
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { paths } from "../../../openapi/generated/courier-dispatch.ts";
import { cursor } from "../../../reference-server/domain/paging/cursor.ts";
import { apiClient } from "../api-client.ts";
import {
  createDelivery,
  creationRequests,
  type LoadRequest,
  openIntegrator,
  readRequests,
  sendRequests,
} from "./integrator.ts";
import { type BenchSettings, compared, type Figure, type Measurement, scaled } from "./measurement.ts";
import { type ServerProcess, withServer } from "./server.ts";

const REQUESTS = 3000;
const PAGE_REQUESTS = 300;
const SMALL_LIST = 1000;
const LARGE_LIST = 1_000_000;

/** Returns a function that measures the server's CPU time per request, in milliseconds. */
const costOf = (server: ServerProcess, count: number, request: () => LoadRequest) => async () => {
  const before = await server.cpuMs();
  await sendRequests(server.url, count, request);
  return ((await server.cpuMs()) - before) / count;
};

export const servingMeasurement: Measurement = {
  id: "serving",
  run(settings) {
    const count = scaled(settings, REQUESTS);
    return withServer({ kind: "unlimited", database: ":memory:" }, async (reference) => {
      const { token, api } = await openIntegrator(reference);
      const delivery = await createDelivery(api);
      return withServer({ kind: "bare", database: ":memory:", delivery }, async (bare) => {
        const bareDelivery = await createDelivery(apiClient<paths>(bare.url, token));
        const figure = async (
          title: string,
          request: () => LoadRequest,
          bareRequest = request,
        ): Promise<Figure> => {
          const { ratios, baseline, own } = await compared(
            settings.iterations,
            costOf(bare, count, bareRequest),
            costOf(reference, count, request),
          );
          return {
            title,
            unit: "times the cost of bare Fastify routes",
            values: ratios,
            target: ["at most", 1.7],
            detail: `${own.toFixed(3)} ms of CPU time per request, ${baseline.toFixed(3)} ms on Fastify routes with the same SQL`,
          };
        };
        const read = (id: string) => readRequests(token, `/v1/deliveries/${id}`);
        return [
          await figure("creating a delivery", creationRequests(token)),
          await figure("reading a delivery", read(delivery.id), read(bareDelivery.id)),
        ];
      });
    });
  },
};

async function withList<T>(
  settings: BenchSettings,
  deliveries: number,
  work: (cost: () => Promise<number>) => Promise<T>,
): Promise<T> {
  const database = join(settings.folder, `${deliveries}.db`);
  const token = await withServer({ kind: "unlimited", database }, async (server) => {
    const integrator = await openIntegrator(server);
    await createDelivery(integrator.api);
    return integrator.token;
  });
  const middle = fill(database, deliveries);
  return withServer({ kind: "unlimited", database }, (server) => {
    const page = readRequests(token, `/v1/deliveries?limit=100&since=${encodeURIComponent(middle)}`);
    return work(costOf(server, scaled(settings, PAGE_REQUESTS), page));
  });
}

/**
 * Copies a database's only delivery until the database has `count` deliveries.
 * @returns the cursor of the delivery in the middle
 */
function fill(file: string, count: number): string {
  const database = new DatabaseSync(file);
  database.exec(`
    pragma synchronous = off;
    pragma cache_size = -200000;
    insert into deliveries
      with recursive number(n) as (select 1 union all select n + 1 from number where n < ${count - 1})
      select lower(hex(randomblob(16))), integrator_id, store_id, 'filled-' || n, lower(hex(randomblob(16))), status,
        version, change_number + n, created_at + n, updated_at + n, null, body
      from deliveries, number`);
  const middle = database
    .prepare("select updated_at, change_number from deliveries order by updated_at limit 1 offset ?")
    .get(Math.floor(count / 2));
  database.close();
  return cursor.encode({
    updated_at: Number(middle?.updated_at),
    change_number: Number(middle?.change_number),
  });
}

export const listPageMeasurement: Measurement = {
  id: "page",
  run(settings) {
    const listLength = scaled(settings, LARGE_LIST);
    return withList(settings, SMALL_LIST, (small) =>
      withList(settings, listLength, async (large): Promise<readonly Figure[]> => {
        const { ratios, baseline, own } = await compared(settings.iterations, small, large);
        return [
          {
            title: `page at ${listLength} deliveries`,
            unit: `times the cost at ${SMALL_LIST} deliveries`,
            values: ratios,
            target: ["at most", 1.1],
            detail: `${own.toFixed(2)} ms of CPU time, ${baseline.toFixed(2)} ms at ${SMALL_LIST}`,
          },
        ];
      }),
    );
  },
};
