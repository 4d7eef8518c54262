/** A client of the Courier Dispatch Integration Service: the token, retries and catching up, in one file to start from. */
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import createClient from "openapi-fetch";
import type { components, paths } from "../../openapi/generated/courier-dispatch.ts";

export type Delivery = components["schemas"]["Delivery"];
export type NewDelivery = components["schemas"]["NewDelivery"];

export interface Access {
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Factor of all waits; 1 except in tests. */
  readonly timeScale?: number;
}

/** Stores the cursor between calls of `catchUp`. Use a file or a table, so that it survives a restart. */
export interface CursorStore {
  read(): Promise<string | undefined>;
  write(cursor: string | undefined): Promise<void>;
}

/** An error response of the service. Decide by `code` only. */
export class ServiceError extends Error {
  override readonly name = "ServiceError";
  readonly status: number;
  readonly code: string | undefined;

  constructor(status: number, code: string | undefined) {
    super(`the service responded with ${status}${code ? ` ${code}` : ""}`);
    this.status = status;
    this.code = code;
  }
}

const MAX_ATTEMPTS = 12;
const LONGEST_WAIT_S = 60;
const RESPONSE_TIMEOUT_MS = 60_000;
/** Renews a token this long before it expires, so that no request arrives with an expired token. */
const RENEWAL_MARGIN_MS = 60_000;

export class DispatchClient {
  /** A typed client of all operations. It authorises requests, and retries them by the specification's rules. */
  readonly api;
  readonly #access: Access;
  readonly #anonymous;
  #token: Promise<{ readonly value: string; readonly until: number }> | undefined;

  constructor(access: Access) {
    this.#access = access;
    const { baseUrl } = access;
    this.api = createClient<paths>({ baseUrl, fetch: (request) => this.#authorised(request) });
    this.#anonymous = createClient<paths>({ baseUrl, fetch: (request) => this.#sendWithRetries(request) });
  }

  /**
   * Creates a delivery.
   * @param key stored with the order, so that a retry uses the same key
   * @throws ServiceError if the service refuses the order; a retry won't help
   */
  async createDelivery(order: NewDelivery, key: string = randomUUID()): Promise<Delivery> {
    const { data, error, response } = await this.api.POST("/v1/deliveries", {
      params: { header: { "Idempotency-Key": key } },
      body: order,
    });
    if (data) return data;
    throw new ServiceError(response.status, codeOf(error));
  }

  /** Yields every delivery that changed since the stored cursor, oldest change first. Stores the cursor after each page. */
  async *catchUp(cursors: CursorStore): AsyncGenerator<Delivery> {
    for (let hasMore = true; hasMore; ) {
      const since = await cursors.read();
      const { data, error, response } = await this.api.GET("/v1/deliveries", {
        params: { query: since === undefined ? {} : { since } },
      });
      if (data) {
        yield* data.items;
        if (data.next_cursor) await cursors.write(String(data.next_cursor));
        hasMore = data.has_more;
      } else if (since !== undefined && codeOf(error) === "IMLEC_GECERSIZ") {
        await cursors.write(undefined);
      } else {
        throw new ServiceError(response.status, codeOf(error));
      }
    }
  }

  /** Sends the request with a token, and once more with a new token if the service refused the first. */
  async #authorised(request: Request): Promise<Response> {
    const token = await this.#currentToken();
    const answer = await this.#sendWithRetries(request, token);
    if (answer.status !== 401) return answer;
    await this.#forget(token);
    return this.#sendWithRetries(request, await this.#currentToken());
  }

  /** Retries until a final response, or until too many attempts have failed. */
  async #sendWithRetries(request: Request, token?: string): Promise<Response> {
    for (let failures = 1; ; failures += 1) {
      const attempt = new Request(request.clone(), { signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS) });
      if (token !== undefined) attempt.headers.set("authorization", `Bearer ${token}`);
      const answer = await whole(attempt);
      const isTransient = answer instanceof Error || answer.status === 429 || answer.status >= 500;
      if (isTransient && failures < MAX_ATTEMPTS) await this.#wait(failures, answer);
      else if (answer instanceof Error) throw answer;
      else return answer;
    }
  }

  /** Returns the current token; concurrent requests share it. */
  async #currentToken(): Promise<string> {
    const before = this.#token;
    const held = await before;
    if (held && held.until > Date.now()) return held.value;
    if (this.#token === before) {
      this.#token = this.#fetchToken();
      this.#token.catch(() => {
        this.#token = undefined;
      });
    }
    return this.#currentToken();
  }

  /** Drops a refused token, unless another request has renewed it meanwhile. */
  async #forget(refused: string): Promise<void> {
    if ((await this.#token)?.value === refused) this.#token = undefined;
  }

  async #fetchToken(): Promise<{ value: string; until: number }> {
    const { clientId, clientSecret } = this.#access;
    const { data, error, response } = await this.#anonymous.POST("/oauth/token", {
      body: { grant_type: "client_credentials", client_id: clientId, client_secret: clientSecret },
    });
    if (!data) throw new ServiceError(response.status, codeOf(error));
    const until = Date.now() + data.expires_in * 1000 - RENEWAL_MARGIN_MS;
    return { value: data.access_token, until };
  }

  /** Waits 1, 2, 4 … 60 seconds, or longer if the service sends Retry-After. */
  #wait(failures: number, answer: Response | Error): Promise<void> {
    const backoff = Math.min(2 ** (failures - 1), LONGEST_WAIT_S);
    const asked = answer instanceof Response ? retryAfter(answer.headers.get("retry-after")) : 0;
    return pause(Math.max(backoff, asked) * 1000 * (this.#access.timeScale ?? 1));
  }
}

/** Returns the response with its whole body, or an error if the body is incomplete. */
async function whole(request: Request): Promise<Response | Error> {
  try {
    const answer = await fetch(request);
    const body = await answer.arrayBuffer();
    return new Response(answer.status === 204 ? null : body, answer);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** Returns the wait in seconds. The header has seconds or a date. */
function retryAfter(header: string | null): number {
  if (header === null) return 0;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : 0;
}

/** Returns undefined for an error without the service's error body, such as a gateway's. */
const codeOf = (error: unknown): string | undefined => {
  const inner: unknown =
    typeof error === "object" && error !== null ? Reflect.get(error, "error") : undefined;
  const code: unknown = typeof inner === "object" && inner !== null ? Reflect.get(inner, "code") : undefined;
  return typeof code === "string" ? code : undefined;
};
