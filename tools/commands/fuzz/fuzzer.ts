/**
 * Sends sequences of requests, each from a new integrator, and validates every response against the document.
 */
import fc from "fast-check";
import { Pool } from "undici";
import type { RunningServer } from "../../../reference-server/embedded.ts";
import { parseJson } from "../../../suites/core/json.ts";
import { type FuzzAnswer, FuzzClient, type OnAnswer } from "./client.ts";
import { type FuzzOperation, fuzzOperations, responseFault } from "./document.ts";
import { anyRequest, type FuzzRequest } from "./requests.ts";

/** Text that reveals the server's internals. */
const inside = /node_modules|node:internal|\n\s+at .+:\d+:\d+|SQLITE_|sqlite3?|postgres/i;
/**
 * Error codes about a request body. Any control operation may return them, although the document doesn't list
 * them.
 */
const anyControl = [413, 415];
const limitHeaders = ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"];

/** The fault of a response; undefined if there is none. A request to an unknown operation must be refused. */
function faultIn(operation: FuzzOperation | undefined, answer: FuzzAnswer): string | undefined {
  const { status, headers, text } = answer;
  if (status >= 500) return `answered ${status}: ${text.slice(0, 200)}`;
  if (inside.test(text)) return `reveals its internals: ${text.slice(0, 200)}`;
  const isJson = String(headers["content-type"] ?? "").startsWith("application/json");
  const body = isJson ? parseJson(text) : undefined;
  if (isJson && text !== "" && body === undefined)
    return `isn't valid JSON, although its content type says so: ${text.slice(0, 200)}`;
  if (operation?.isControl !== true) {
    const missing = limitHeaders.find((name) => !/^\d+$/.test(String(headers[name])));
    if (missing !== undefined) return `${status} without ${missing}`;
  }
  if (operation?.isControl && anyControl.includes(status)) return undefined;
  if (operation !== undefined) return responseFault(operation, status, body);
  return status >= 400 ? undefined : `status ${status} for an operation that doesn't exist`;
}

interface FuzzOptions {
  readonly requests: number;
  /** The seed that repeats a run with a finding. */
  readonly seed: number;
  readonly onAnswer?: OnAnswer;
}

interface FuzzResult {
  readonly requests: number;
  /** The simplest sequence that ends in a fault; undefined if there was none. */
  readonly finding: string | undefined;
}

/** The length of a sequence. Findings are shrunk, so sequences may be long. */
const longest = 60;
/** Sequences per seed. The next seed follows, so that a finding can be repeated without the earlier sequences. */
const perSeed = 50;
/** After closeIntegrator, the integrator's other requests in the sequence would all be refused with 401. */
const excludedOperations = ["closeIntegrator"];

/** Runs until the given number of responses, or the first response that violates the document. */
export async function fuzz(server: RunningServer, options: FuzzOptions): Promise<FuzzResult> {
  const pool = new Pool(server.url, { connections: 1 });
  const operations = fuzzOperations();
  const sequences = fc.array(anyRequest(operations, excludedOperations), {
    minLength: 1,
    maxLength: longest,
    size: "max",
  });
  let requests = 0;
  const onAnswer: OnAnswer = (operation, status) => {
    requests++;
    options.onAnswer?.(operation, status);
  };
  try {
    for (let seed = options.seed; requests < options.requests; seed++) {
      const property = fc.asyncProperty(sequences, async (sequence) => {
        if (requests >= options.requests) return;
        await run(new FuzzClient(pool, server, operations, onAnswer), sequence);
      });
      const { failed, errorInstance, counterexample } = await fc.check(property, { seed, numRuns: perSeed });
      if (!failed) continue;
      if (!(errorInstance instanceof Finding)) throw errorInstance;
      const steps = counterexample?.[0].map((request, index) => `${index + 1}. ${shown(request)}`) ?? [];
      return { requests, finding: [errorInstance.message, ...steps, `(--seed ${seed})`].join("\n") };
    }
    return { requests, finding: undefined };
  } finally {
    await pool.close();
  }
}

class Finding extends Error {}

async function run(client: FuzzClient, sequence: readonly FuzzRequest[]): Promise<void> {
  await client.prepare();
  for (const request of sequence) {
    const { answer, wire } = await client.send(request);
    const fault = faultIn(request.operation, answer);
    if (fault !== undefined) throw new Finding(`${request.method} ${wire} ${fault}`);
  }
}

function shown({ operation, method, path, query, headers, body, token }: FuzzRequest): string {
  const where = typeof path === "string" ? path : `/${path.map(String).join("/")}`;
  const whose = token === "own" ? "" : ` with ${token} token`;
  return `${operation?.id ?? "unknown"}${whose}: ${method} ${where} ${fc.stringify({ query, headers, body })}`;
}
