import type { operations } from "../../../../openapi/generated/courier-dispatch.ts";
import {
  type OperationId,
  operationById,
  requestSchemaError,
  type Schemas,
} from "../../../core/contract/document.ts";
import type { Exchange } from "../../../core/exchange.ts";
import { CheckFailure, NoResponse } from "../../../core/grading/failures/failure.ts";
import { pathSegment } from "../../../core/http/path-segment.ts";
import { textOf } from "../../../core/json.ts";
import { described } from "../../../core/text/shown-value.ts";
import type { CreatedResources } from "../created-resources.ts";
import type { Urgency } from "../limits/in-flight.ts";
import type { RequestBudget } from "../limits/request-budget.ts";
import type { SourceAddress } from "../limits/source-addresses.ts";
import { drawnUuid } from "../sample-data/drawn.ts";
import { cancellationReason } from "../sample-data/sample-data.ts";
import { ApiResponse } from "./api-response.ts";
import type { PendingRequests } from "./pending-requests.ts";
import type { Transport } from "./transport.ts";

type ParametersOf<Op extends OperationId> = operations[Op]["parameters"];
type Strings = Readonly<Record<string, string>>;
type PathOf<Op extends OperationId> =
  ParametersOf<Op> extends { path: infer P extends Strings } ? P : undefined;
type QueryOf<Op extends OperationId> =
  ParametersOf<Op> extends { query?: infer Q extends object } ? Q : undefined;
type BodyOf<Op extends OperationId> = operations[Op] extends {
  requestBody: { content: { "application/json": infer B } };
}
  ? B
  : undefined;

/** An operation's input as documented. */
interface Input<Op extends OperationId> {
  readonly path?: PathOf<Op>;
  readonly query?: QueryOf<Op>;
  readonly body?: BodyOf<Op>;
}

/** The input of an operation without types, for intentionally invalid requests. */
export interface UncheckedInput {
  readonly path?: Strings | undefined;
  readonly query?: object | undefined;
  /** A body that is serialised as JSON. */
  readonly body?: unknown;
  /** A body that is sent unchanged, instead of `body`. */
  readonly rawBody?: string;
  /** A path that isn't in the OpenAPI document. */
  readonly unknownPath?: string;
}

export interface CallOptions {
  /** The Idempotency-Key. Null to send none. */
  readonly key?: string | null;
  /** Replaces the client's own token. Null to send none. */
  readonly token?: string | null;
  /** Replaces `Bearer <token>`. */
  readonly authorization?: string;
  /** Replaces `application/json`. Null to send no content type. */
  readonly contentType?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** False to return a 429 instead of waiting until the limit allows the request. */
  readonly honourLimits?: boolean;
  /** False to ignore the suite's own request budget, in checks that exhaust a limit. */
  readonly keepBudget?: boolean;
}

/** Where a client's requests come from, and which integrator they belong to. */
interface ApiOptions {
  readonly transport: Transport;
  readonly baseUrl: string;
  /** Returns the source address of the next request. */
  readonly address: () => SourceAddress;
  /** Returns the bearer token. Undefined for an anonymous client. */
  readonly token?: () => Promise<string>;
  /** The budget of the client's integrator. */
  readonly budget?: RequestBudget;
  readonly record: (exchange: Exchange) => void;
  /** The milliseconds by which the integrator's clock is ahead of this machine's. */
  readonly clockOffsetMs?: () => number;
  /** Who sends the requests, if a check has several integrators. */
  readonly sender?: string;
  /**
   * Called before a request with the integrator's own token. Returns a function to call after the response,
   * which returns true if the token was valid throughout.
   */
  readonly watchToken?: (token: string) => () => boolean;
  readonly created?: CreatedResources;
  /** The priority of the client's requests. Defaults to "in turn". */
  readonly urgency?: Urgency;
  readonly beforeSending?: (operation: OperationId) => Promise<void>;
  readonly pendingRequests?: PendingRequests | undefined;
}

/**
 * Formats of keys that clients use. All keys consist of ASCII letters, digits and dashes, because the allowed
 * characters are unspecified (OPEN-114).
 */
const KEY_STYLES: readonly ((uuid: string) => string)[] = [
  (uuid) => uuid,
  (uuid) => uuid.toUpperCase(),
  (uuid) => `Siparis-${uuid}-kasa-1`,
  (uuid) => `${uuid}-${uuid.slice(0, 8)}-son`,
  (uuid) => uuid.replaceAll("-", "").replaceAll(/\d/g, (digit) => "GHJKLMNPQR"[Number(digit)] ?? ""),
];

/** A new idempotency key of at most 60 characters. The maximum is 128. */
export const newIdempotencyKey = (): string => {
  const uuid = drawnUuid();
  // The format depends on the UUID, so that choosing a format doesn't advance the random sequence.
  const write = KEY_STYLES[Number.parseInt(uuid.slice(0, 1), 16) % KEY_STYLES.length];
  return write?.(uuid) ?? uuid;
};

/** @throws CheckFailure if the target has returned no value for a path parameter */
const fillPath = (id: OperationId, values: Readonly<Record<string, string>>): string =>
  operationById(id).path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name] ?? "";
    if (value !== "") return pathSegment(value);
    throw new CheckFailure({
      subject: `${name} in the response before ${id}`,
      relation: "to be",
      expected: described("text that isn't blank"),
      actual: values[name],
    });
  });

function queryString(query: object): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parameters.append(name, [value].flat().map(textOf).join(","));
  }
  const text = parameters.toString();
  return text ? `?${text}` : "";
}

/**
 * The service's API for one integrator, with types from the document. A check violates a rule with {@link
 * sendInvalid}, which names the rule.
 */
export class Api {
  readonly options: ApiOptions;

  constructor(options: ApiOptions) {
    this.options = options;
  }

  /** A client of the same integrator with other options. */
  with(change: Partial<ApiOptions>): Api {
    return new Api({ ...this.options, ...change });
  }

  async call<Op extends OperationId>(
    id: Op,
    input: Input<Op> = {},
    options: CallOptions = {},
  ): Promise<ApiResponse<Op>> {
    const fault = input.body === undefined ? undefined : requestSchemaError(id, input.body);
    if (fault) throw new TypeError(`the suite's own request to ${id} violates the document: ${fault}`);
    return this.#send(id, { path: input.path, query: input.query, body: input.body }, options, undefined);
  }

  /** Sends a request that violates a rule. The report shows `rule` with the exchange. */
  sendInvalid<Op extends OperationId>(
    id: Op,
    rule: string,
    input: UncheckedInput = {},
    options: CallOptions = {},
  ): Promise<ApiResponse<Op>> {
    return this.#send(id, input, options, rule);
  }

  /**
   * Requests a URL from a response. The URL may be relative (OPEN-73).
   * @param id the operation that has the same response
   */
  async follow<Op extends OperationId>(id: Op, url: string): Promise<ApiResponse<Op>> {
    const base = new URL(`${this.options.baseUrl}/`);
    const { pathname, search } = new URL(url, base);
    const below = pathname.startsWith(base.pathname) ? pathname.slice(base.pathname.length - 1) : pathname;
    return this.#send(id, { unknownPath: `${below}${search}` }, {}, undefined);
  }

  #send<Op extends OperationId>(
    id: Op,
    input: UncheckedInput,
    options: CallOptions,
    violates: string | undefined,
  ): Promise<ApiResponse<Op>> {
    const send = () => this.#sendNow(id, input, options, violates);
    return this.options.pendingRequests?.follow(send) ?? send();
  }

  async #sendNow<Op extends OperationId>(
    id: Op,
    input: UncheckedInput,
    options: CallOptions,
    violates: string | undefined,
  ): Promise<ApiResponse<Op>> {
    await this.options.beforeSending?.(id);
    const { method } = operationById(id);
    const path = input.unknownPath ?? fillPath(id, input.path ?? {});
    const body = input.rawBody ?? (input.body === undefined ? undefined : JSON.stringify(input.body));
    const headers: Record<string, string> = { accept: "application/json" };
    const contentType =
      options.contentType === undefined && body !== undefined ? "application/json" : options.contentType;
    if (contentType) headers["content-type"] = contentType;
    if (options.key) headers["idempotency-key"] = options.key;
    const token = await this.#token(id, options);
    if (token !== undefined) headers.authorization = `Bearer ${token}`;
    const isOwn = options.token === undefined && violates === undefined && token !== undefined;
    if (options.authorization !== undefined) headers.authorization = options.authorization;
    Object.assign(headers, options.headers);
    const address = this.options.address();
    const exchange = await this.options.transport.send(
      {
        operation: id,
        method,
        url: `${this.options.baseUrl}${path}${queryString(input.query ?? {})}`,
        headers,
        body,
        address,
        violates,
        unknownRoute: input.unknownPath !== undefined,
        budgets: this.#budgets(id, address, token !== undefined),
        keepsBudget: options.keepBudget ?? true,
        honourLimits: options.honourLimits ?? true,
        ...(this.options.clockOffsetMs && { clockOffsetMs: this.options.clockOffsetMs }),
        ...(this.options.sender !== undefined && { sender: this.options.sender }),
        isTokenValid: isOwn ? this.options.watchToken?.(token) : undefined,
        urgency: options.keepBudget === false ? "last" : (this.options.urgency ?? "in turn"),
      },
      (sent) => {
        if (sent.stoppedTarget !== "after its answer") this.options.created?.observe(sent);
        this.options.record(sent);
      },
    );
    if (!exchange.response) throw new NoResponse(exchange);
    return new ApiResponse<Op>(exchange, exchange.response);
  }

  async #token(id: OperationId, options: CallOptions): Promise<string | undefined> {
    if (options.authorization !== undefined || options.token === null) return undefined;
    if (options.token !== undefined) return options.token;
    return operationById(id).anonymous ? undefined : this.options.token?.();
  }

  /** The limits that a request counts towards: those of the integrator, or those of the source address. */
  #budgets(id: OperationId, address: SourceAddress, identified: boolean): readonly RequestBudget[] {
    const { budget } = this.options;
    if (identified && budget) return [budget];
    if (id === "obtainToken") return [address.tokens, address.anonymous];
    return id === "getTracking" ? [address.tracking, address.anonymous] : [address.anonymous];
  }

  createDelivery(body: Schemas["NewDelivery"], options: CallOptions = {}) {
    return this.call("createDelivery", { body }, { key: newIdempotencyKey(), ...options });
  }

  getDelivery(id: string, options?: CallOptions) {
    return this.call("getDelivery", { path: { id } }, options);
  }

  updateDelivery(id: string, body: Schemas["DeliveryChange"], options?: CallOptions) {
    return this.call("updateDelivery", { path: { id }, body }, options);
  }

  cancelDelivery(id: string, reason = cancellationReason(), options?: CallOptions) {
    return this.call("cancelDelivery", { path: { id }, body: { reason } }, options);
  }

  listDeliveries(query: QueryOf<"listDeliveries">, options?: CallOptions) {
    return this.call("listDeliveries", { query }, options);
  }

  registerStore(body: Schemas["StoreRegistration"], options?: CallOptions) {
    return this.call("registerStore", { body }, options);
  }

  getStore(external_store_id: string, options?: CallOptions) {
    return this.call("getStore", { path: { external_store_id } }, options);
  }

  createQuote(body: Schemas["QuoteRequest"], options?: CallOptions) {
    return this.call("createQuote", { body }, options);
  }
}
