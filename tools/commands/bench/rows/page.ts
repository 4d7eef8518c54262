/** A page of the list, whether there are many deliveries or few. */
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { cursor } from "../../../../reference-server/domain/paging/cursor.ts";
import { createDelivery, openIntegrator } from "../integrator.ts";
import { load } from "../load.ts";
import { type ServerProcess, startServer } from "../processes.ts";
import { type BenchRow, type BenchSettings, type Figure, scaled } from "../row.ts";
import { interleaved } from "../spread.ts";

const few = 1000;
const many = 1_000_000;
const pages = 300;

interface Filled {
  readonly server: ServerProcess;
  readonly page: () => { method: "GET"; path: string; headers: Record<string, string> };
}

/** A server whose integrator has so many deliveries, written by SQL after the first one; pages are read in the middle. */
async function filled(settings: BenchSettings, count: number): Promise<Filled> {
  const file = join(settings.folder, `${count}.db`);
  const first = await startServer("unlimited", file);
  const { api, token } = await openIntegrator(first);
  await createDelivery(api, "first");
  await first.close();
  const middle = fill(file, count);
  const server = await startServer("unlimited", file);
  const path = `/v1/deliveries?limit=100&since=${encodeURIComponent(middle)}`;
  const headers = { authorization: `Bearer ${token}` };
  return { server, page: () => ({ method: "GET", path, headers }) };
}

/** @returns the cursor of the delivery in the middle */
function fill(file: string, count: number): string {
  const database = new DatabaseSync(file);
  database.exec("pragma synchronous = off; pragma cache_size = -200000");
  database.exec(`
    insert into deliveries
      with recursive number(n) as (select 1 union all select n + 1 from number where n < ${count - 1})
      select lower(hex(randomblob(16))), integrator_id, store_id, 'filled-' || n, lower(hex(randomblob(16))), status,
        version, change_number + n, created_at + n, updated_at + n, null, body
      from deliveries, number`);
  const middle = database
    .prepare("select updated_at, change_number from deliveries order by updated_at limit 1 offset ?")
    .get(Math.floor(count / 2));
  database.close();
  const [updated_at, change_number] = [Number(middle?.updated_at), Number(middle?.change_number)];
  return cursor.encode({ updated_at, change_number });
}

export const pageRow: BenchRow = {
  id: "page",
  how: "processor time of the server for a page of 100 in the middle of the list, SQLite in a file that SQL has filled",
  async run(settings): Promise<readonly Figure[]> {
    const small = await filled(settings, few);
    try {
      const large = await filled(settings, scaled(settings, many));
      try {
        const count = scaled(settings, pages);
        const measure =
          ({ server, page }: Filled) =>
          async () => {
            const before = await server.usage();
            await load(server.url, count, 200, page);
            return ((await server.usage()).cpuMs - before.cpuMs) / count;
          };
        const [first, second] = [measure(small), measure(large)];
        await first();
        await second();
        const { first: less, second: more, ratio } = await interleaved(settings.rounds, first, second);
        return [
          {
            title: `page at ${scaled(settings, many)} deliveries`,
            unit: `of ${few}`,
            spread: ratio,
            target: { is: "at most", value: 1.1 },
            detail: `${more.median.toFixed(2)} ms against ${less.median.toFixed(2)} ms`,
          },
        ];
      } finally {
        await large.server.close();
      }
    } finally {
      await small.server.close();
    }
  },
};
