import type { Pool } from "undici";
import type { RunningServer } from "../../../reference-server/embedded.ts";
import { isObject, parseJson } from "../../../suites/core/json.ts";
import type { FuzzOperation } from "./document.ts";
import { KnownValues } from "./known.ts";
import type { FuzzRequest } from "./requests.ts";

export interface FuzzAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** A function that is called with the operation and status of every response. */
export type OnAnswer = (operation: string, status: number) => void;

/** An integrator that sends a sequence of requests, and keeps the ids that later requests may use. */
export class FuzzClient {
  readonly #pool: Pool;
  readonly #server: RunningServer;
  readonly #operations: readonly FuzzOperation[];
  readonly #onAnswer: OnAnswer;
  readonly #known = new KnownValues();
  #token = "";
  #otherToken = "";
  #credentials: Record<string, unknown> = {};

  constructor(pool: Pool, server: RunningServer, operations: readonly FuzzOperation[], onAnswer: OnAnswer) {
    this.#pool = pool;
    this.#server = server;
    this.#operations = operations;
    this.#onAnswer = onAnswer;
  }

  /** Creates an integrator with a store, a delivery and a webhook, and a second integrator. */
  async prepare(): Promise<void> {
    this.#credentials = await this.#setUp("createIntegrator", {});
    this.#otherToken = await this.#obtainToken();
    this.#credentials = await this.#setUp("createIntegrator", {});
    this.#token = await this.#obtainToken();
    this.#known.learn("clients", this.#credentials.client_id);
    this.#known.learn("secrets", this.#credentials.client_secret);
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

  /** Sends a request with its placeholders resolved. `wire` is the path as sent. */
  async send(request: FuzzRequest): Promise<{ answer: FuzzAnswer; wire: string }> {
    const wire = this.#wireOf(request);
    const headers = this.#headersOf(request);
    const answer = await this.#ask(request.method, wire, headers, bytesOf(this.#filled(request.body)));
    const { operation } = request;
    this.#onAnswer(operation?.id ?? "unknown", answer.status);
    if (operation !== undefined && answer.status < 300)
      this.#known.learnFrom(operation.id, parseJson(answer.text));
    if (headers["idempotency-key"] !== undefined) this.#known.learn("keys", headers["idempotency-key"]);
    // The clock was advanced, so the token may have expired.
    if (operation?.id === "advanceClock") this.#token = await this.#obtainToken();
    return { answer, wire };
  }

  #filled(value: unknown): unknown {
    return this.#known.filled(value, Date.now());
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
    if (answer.status >= 300) throw new Error(`${operationId} returned ${answer.status}: ${answer.text}`);
    const json = parseJson(answer.text);
    return isObject(json) ? json : {};
  }
}

/** Percent-encoded, with lone surrogates replaced. */
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
