import type { operations } from "../../../../openapi/generated/courier-dispatch.ts";
import type { OperationId } from "../../../core/contract/document.ts";
import type { Exchange, ExchangeResponse } from "../../../core/exchange.ts";
import { CheckFailure, type ExpectationKind } from "../../../core/grading/failures/failure.ts";
import { forbiddenObservation, type Mismatch } from "../../../core/grading/failures/mismatch.ts";
import { isObject, member } from "../../../core/json.ts";
import { isSuccess } from "../../../core/responses.ts";
import { described } from "../../../core/text/shown-value.ts";

type Responses<Op extends OperationId> = operations[Op]["responses"];
type JsonContent<R> = R extends { content: { "application/json": infer Body } } ? Body : never;

/** The statuses for which the document specifies a JSON body. */
type JsonStatus<Op extends OperationId> = {
  [S in keyof Responses<Op>]: [JsonContent<Responses<Op>[S]>] extends [never] ? never : S;
}[keyof Responses<Op>] &
  number;

export type Body<Op extends OperationId, S extends JsonStatus<Op>> = JsonContent<Responses<Op>[S]>;

/** The specified members of an error response. */
interface ApiError {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly details: unknown;
}

/**
 * Gives a body its type in the OpenAPI document without validation, because a passive check validates every
 * response.
 */
const isJsonContainer = <T>(value: unknown): value is T => typeof value === "object" && value !== null;

const hasId = (json: unknown): boolean => typeof member(json, "id") === "string";

/**
 * Error codes that are safe to show in a line of text. The report shows other values only with the exchange.
 */
const CODE = /^\w{1,40}$/;

/** A response with the assertions that most checks need. */
export class ApiResponse<Op extends OperationId> {
  readonly exchange: Exchange;
  readonly raw: ExchangeResponse;

  constructor(exchange: Exchange, response: ExchangeResponse) {
    this.exchange = exchange;
    this.raw = response;
  }

  get status(): number {
    return this.raw.status;
  }

  /** The parsed body. Undefined if the body isn't JSON. */
  get json(): unknown {
    return this.raw.json;
  }

  header(name: string): string | undefined {
    return this.raw.headers[name.toLowerCase()];
  }

  /** The kind of a failure: "limit" if a 429 was received or expected. */
  #kindAgainst(expected: readonly unknown[]): ExpectationKind {
    return [this.status, ...expected].includes(429) ? "limit" : "value";
  }

  /** Fails the check because of forbidden content in this response. */
  fail(
    statement: string,
    compared: { expected?: unknown; actual?: unknown; kind?: ExpectationKind } = {},
  ): never {
    const { kind, ...values } = compared;
    throw this.failure(forbiddenObservation(statement, values), kind);
  }

  /**
   * The failure of a response with an unexpected status.
   * @param code the error code that belongs to the expected status
   */
  failureOfStatus(expected: number | string | readonly number[], note?: string, code?: string): CheckFailure {
    return this.failure(
      {
        subject: this.exchange.operation,
        relation: "to answer",
        expected,
        code,
        actual: this.#summary(),
        // The details name the refused field and the reason (specification, "Errors").
        details: member(member(this.json, "error"), "details"),
        note,
      },
      this.#kindAgainst([expected].flat()),
    );
  }

  /** A failure of this response, to be thrown. */
  failure(mismatch: Mismatch, kind?: ExpectationKind): CheckFailure {
    const { exchange } = this;
    return new CheckFailure(
      { ...mismatch, violates: exchange.violates },
      { exchange, ...(kind !== undefined && { kind }) },
    );
  }

  /**
   * The body of a success, with the type for `status`. Another 2xx with the same content is accepted, so that
   * only checks of the status fail, which use {@link expectStatus}.
   * @param note what a failure says about the request, if its body alone doesn't show why it's valid
   */
  body<S extends JsonStatus<Op>>(status: S, note?: string): Body<Op, S> {
    if (!this.hasContentOf(status)) throw this.failureOfStatus(status, note);
    return this.#container();
  }

  /** True if the response has the content of this status. The content of 201 needs an id. */
  hasContentOf(status: number): boolean {
    return this.status === status || (isSuccess(this) && (status !== 201 || hasId(this.json)));
  }

  /** Asserts that the status is one of `statuses`. */
  expectStatus(...statuses: readonly number[]): this {
    if (!statuses.includes(this.status))
      throw this.failureOfStatus(statuses.length === 1 ? Number(statuses[0]) : statuses);
    return this;
  }

  /**
   * Asserts any 2xx, for operations whose exact status is unspecified.
   * @param note see {@link body}
   */
  expectSuccess(note?: string): this {
    if (!isSuccess(this)) throw this.failureOfStatus("2xx", note);
    return this;
  }

  /**
   * Asserts an error response with this status and one of these codes.
   * @param codes the allowed codes; none if the code is unspecified
   */
  expectError(status: number | readonly number[], ...codes: readonly string[]): ApiError {
    const statuses = [status].flat();
    if (!statuses.includes(this.status)) {
      const [only, ...others] = statuses;
      const expected = only !== undefined && others.length === 0 ? only : statuses;
      throw this.failureOfStatus(expected, undefined, codes.length === 1 ? codes[0] : undefined);
    }
    const error = isObject(this.json) && isObject(this.json.error) ? this.json.error : undefined;
    const code = typeof error?.code === "string" ? error.code : "";
    if (codes.length > 0 && !codes.includes(code)) {
      throw this.failure({
        subject: this.exchange.operation,
        relation: "to refuse with",
        expected: codes.length === 1 ? codes[0] : codes,
        actual: code || described("no code"),
      });
    }
    const message = typeof error?.message === "string" ? error.message : "";
    return { status: this.status, code, message, details: error?.details };
  }

  #container<S extends JsonStatus<Op>>(): Body<Op, S> {
    const { json } = this.raw;
    if (isJsonContainer<Body<Op, S>>(json)) return json;
    throw this.failure({
      subject: `the body of the ${this.status} response to ${this.exchange.operation}`,
      relation: "to be",
      expected: described("a JSON object or list"),
      actual: this.raw.text.slice(0, 200),
    });
  }

  #summary(): string | number {
    const error = isObject(this.json) ? this.json.error : undefined;
    const code = isObject(error) ? error.code : undefined;
    return typeof code === "string" && CODE.test(code) ? `${this.status} ${code}` : this.status;
  }
}
