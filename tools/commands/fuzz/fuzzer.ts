/** Sends sequences of requests, each from an integrator of its own, and judges every answer by the document. */
import fc from "fast-check";
import { Pool } from "undici";
import { isObject } from "../../../reference-server/contract/documents.ts";
import type { RunningServer } from "../../../reference-server/embedded.ts";
import { type FuzzOperation, fuzzOperations } from "./document.ts";
import { type FuzzAnswer, faultIn } from "./judge.ts";
import { World } from "./known.ts";
import { anyRequest, type FuzzRequest } from "./requests.ts";

export interface FuzzOptions {
  readonly requests: number;
  /** Where a run with a finding is repeated from. */
  readonly seed: number;
  /** Told of every answer; by its operation and status. */
  readonly onAnswer?: (operation: string, status: number) => void;
}

export interface FuzzResult {
  readonly requests: number;
  /** The simplest sequence that ends in a fault, in words; undefined where there was none. */
  readonly finding: string | undefined;
}

/** One sequence; a finding is made simpler, so they needn't be short. */
const longest = 60;
/** Sequences of one seed; after them comes the next, so that a finding can be repeated without what was before. */
const perSeed = 50;
/** Whoever closes the one credential of a sequence ends it. */
const without = ["closeIntegrator"];

/** Runs until so many requests were answered, or one answer is outside the document. */
export async function fuzz(server: RunningServer, options: FuzzOptions): Promise<FuzzResult> {
  const pool = new Pool(server.url, { connections: 1 });
  const operations = fuzzOperations();
  const sequences = fc.array(anyRequest(operations, without), {
    minLength: 1,
    maxLength: longest,
    size: "max",
  });
  let requests = 0;
  const told = (operation: string, status: number) => {
    requests++;
    options.onAnswer?.(operation, status);
  };
  try {
    for (let seed = options.seed; requests < options.requests; seed++) {
      const property = fc.asyncProperty(sequences, async (sequence) => {
        if (requests >= options.requests) return;
        await play(new Player(pool, server, operations, told), sequence);
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

async function play(player: Player, sequence: readonly FuzzRequest[]): Promise<void> {
  await player.enter();
  for (const request of sequence) {
    const { answer, wire } = await player.send(request);
    const fault = faultIn(request.operation, answer);
    if (fault !== undefined) throw new Finding(`${request.method} ${wire} ${fault}`);
  }
}

class Player {
  readonly #pool: Pool;
  readonly #server: RunningServer;
  readonly #operations: readonly FuzzOperation[];
  readonly #told: (operation: string, status: number) => void;
  readonly #world = new World();
  #token = "";
  #otherToken = "";
  #credentials: Record<string, unknown> = {};

  constructor(
    pool: Pool,
    server: RunningServer,
    operations: readonly FuzzOperation[],
    told: (operation: string, status: number) => void,
  ) {
    this.#pool = pool;
    this.#server = server;
    this.#operations = operations;
    this.#told = told;
  }

  /** A new integrator with a store, a delivery and an address for webhooks, and another one. */
  async enter(): Promise<void> {
    this.#credentials = await this.#setUp("createIntegrator", {});
    this.#otherToken = await this.#obtainToken();
    this.#credentials = await this.#setUp("createIntegrator", {});
    this.#token = await this.#obtainToken();
    this.#world.learn("clients", this.#credentials.client_id);
    this.#world.learn("secrets", this.#credentials.client_secret);
    const { pairing_code } = await this.#setUp("issuePairingCode", {});
    await this.#setUp("registerStore", {
      external_store_id: "s1",
      pairing_code,
      name: "Moda Mutfak",
      address: { text: "Sultanahmet Meydanı 1", lat: 41.0082, lng: 28.9784 },
    });
    await this.#setUp("trustReceiver", { origin: "https://hooks.test" });
    await this.#setUp("createWebhook", { url: "https://hooks.test/first" });
    await this.#setUp("issuePairingCode", {});
    const payment = { type: "NAKIT", amount_due: 1 };
    const order = {
      external_ref: "first",
      store: { external_store_id: "s1" },
      dropoff: { text: "x" },
      payment,
    };
    await this.#setUp("createDelivery", order, { "Idempotency-Key": "first-of-all" });
    await this.#setUp("listDeliveries", undefined);
  }

  /** Sends a request with everything filled in; `wire` is its path as it was sent. */
  async send(request: FuzzRequest): Promise<{ answer: FuzzAnswer; wire: string }> {
    const wire = this.#wireOf(request);
    const headers = this.#headersOf(request);
    const answer = await this.#ask(request.method, wire, headers, bytesOf(this.#filled(request.body)));
    const { operation } = request;
    this.#told(operation?.id ?? "unknown", answer.status);
    if (operation !== undefined && answer.status < 300)
      this.#world.learnFrom(operation.id, jsonOf(answer.text));
    if (headers["idempotency-key"] !== undefined) this.#world.learn("keys", headers["idempotency-key"]);
    // Time was moved, perhaps beyond the life of the token.
    if (operation?.id === "advanceClock") this.#token = await this.#obtainToken();
    return { answer, wire };
  }

  #filled(value: unknown): unknown {
    return this.#world.filled(value, Date.now());
  }

  #wireOf({ path, query }: FuzzRequest): string {
    const segments =
      typeof path === "string" ? path : `/${path.map((it) => encoded(this.#filled(it))).join("/")}`;
    const pairs = query.map(([name, value]) => `${encoded(name)}=${encoded(this.#filled(value))}`);
    return pairs.length === 0 ? segments : `${segments}?${pairs.join("&")}`;
  }

  #headersOf({ operation, headers, token }: FuzzRequest): Record<string, string> {
    const filled = Object.entries(headers).map(([name, value]) => [
      name.toLowerCase(),
      asText(this.#filled(value)).replace(/[^\x20-\x7e]/g, "?"),
    ]);
    const own = operation?.isControl ? String(this.#server.controlToken) : this.#token;
    const tokens = { own, other: this.#otherToken, malformed: "?", none: "" };
    const authorization = token === "none" ? {} : { authorization: `Bearer ${tokens[token]}` };
    return { ...Object.fromEntries(filled), ...authorization };
  }

  async #ask(
    method: string,
    path: string,
    headers: Record<string, string>,
    body: Uint8Array | string | null,
  ): Promise<FuzzAnswer> {
    const answer = await this.#pool.request({ method, path, headers, body });
    return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() };
  }

  async #obtainToken(): Promise<string> {
    const body = { grant_type: "client_credentials", ...this.#credentials };
    return String((await this.#setUp("obtainToken", body)).access_token);
  }

  async #setUp(operationId: string, body: unknown, headers = {}): Promise<Record<string, unknown>> {
    const operation = this.#operations.find(({ id }) => id === operationId);
    if (operation === undefined) throw new Error(`the document has no ${operationId}`);
    const { answer } = await this.send({
      operation,
      method: operation.method,
      path: operation.path,
      query: [],
      headers: { "content-type": "application/json", ...headers },
      body,
      token: "own",
    });
    if (answer.status >= 300) throw new Error(`${operationId} was answered ${answer.status}: ${answer.text}`);
    const json = jsonOf(answer.text);
    return isObject(json) ? json : {};
  }
}

/** Percent-encoded; what has no UTF-8 is replaced. */
function encoded(value: unknown): string {
  return encodeURIComponent(asText(value).toWellFormed());
}

function asText(value: unknown): string {
  return typeof value === "string" ? value : String(JSON.stringify(value));
}

function bytesOf(body: unknown): Uint8Array | string | null {
  if (body === undefined) return null;
  return typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function shown({ operation, method, path, query, headers, body, token }: FuzzRequest): string {
  const where = typeof path === "string" ? path : `/${path.map(String).join("/")}`;
  const whose = token === "own" ? "" : ` with ${token} token`;
  return `${operation?.id ?? "unknown"}${whose}: ${method} ${where} ${fc.stringify({ query, headers, body })}`;
}
