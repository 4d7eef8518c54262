/** Sends many concurrent requests with predetermined bytes. */
import { Pool } from "undici";
import type { Answer } from "./refusal.ts";

export interface BurstRequest {
  method: "GET" | "POST";
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

/** Uses `atOnce` connections. Each connection sends its next request after the response to the previous request. */
export async function burst(
  url: string,
  requests: Iterable<BurstRequest>,
  atOnce: number,
): Promise<Answer[]> {
  const pool = new Pool(url, { connections: atOnce });
  const answers: Answer[] = [];
  const queue = requests[Symbol.iterator]();
  const sender = async () => {
    for (let next = queue.next(); !next.done; next = queue.next()) {
      const { statusCode, headers, body } = await pool.request(next.value);
      answers.push({ status: statusCode, headers, text: await body.text() });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, sender));
  await pool.close();
  return answers;
}

export const times = (count: number, request: (index: number) => BurstRequest): BurstRequest[] =>
  Array.from({ length: count }, (_, index) => request(index));
