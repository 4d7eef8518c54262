/** Sends requests as fast as they are answered, over connections that are kept. */
import { Pool } from "undici";

export interface LoadRequest {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Connections, each with one request at a time. */
const atOnce = 16;

/** Sends so many requests; throws where one isn't answered with this status. @returns seconds of wall time */
export async function load(
  url: string,
  count: number,
  status: number,
  request: (index: number) => LoadRequest,
): Promise<number> {
  const pool = new Pool(url, { connections: atOnce });
  let sent = 0;
  const sender = async () => {
    while (sent < count) {
      const answer = await pool.request(request(sent++));
      const text = await answer.body.text();
      if (answer.statusCode !== status)
        throw new Error(`answered ${answer.statusCode}: ${text.slice(0, 200)}`);
    }
  };
  const begin = performance.now();
  try {
    await Promise.all(Array.from({ length: atOnce }, sender));
    return (performance.now() - begin) / 1000;
  } finally {
    await pool.close();
  }
}
