import type { operations } from "../../../../openapi/generated/courier-dispatch.ts";
import type { OperationId } from "../../../core/contract/document.ts";
import type { Exchange, ExchangeResponse } from "../../../core/exchange.ts";
import { CheckFailure, type ExpectationKind } from "../../../core/grading/failures/failure.ts";
import { happened, type Mismatch } from "../../../core/grading/failures/mismatch.ts";
import { isObject, member } from "../../../core/json.ts";
import { isSuccess } from "../../../core/responses.ts";
import { described } from "../../../core/text/shown-value.ts";

type Responses<Op extends OperationId> = operations[Op]["responses"];
type JsonContent<R> = R extends { content: { "application/json": infer Body } } ? Body : never;

/** The statuses of an operation that the document gives a JSON body. */
export type JsonStatus<Op extends OperationId> = {
  [S in keyof Responses<Op>]: [JsonContent<Responses<Op>[S]>] extends [never] ? never : S;
}[keyof Responses<Op>] &
  number;

export type Body<Op extends OperationId, S extends JsonStatus<Op>> = JsonContent<Responses<Op>[S]>;

/** A refusal, as far as the specification fixes it. */
export interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly details: unknown;
}

/**
 * Types a body by the document's schema. A passive check verifies every response against the schema, so that one wrong
 * field fails one check rather than all of them.
 */
const isJsonContainer = <T>(value: unknown): value is T => typeof value === "object" && value !== null;

const hasId = (json: unknown): boolean => typeof member(json, "id") === "string";

/** The form of a code that is safe in a line of text. Any other value is shown with the exchange. */
const CODE = /^\w{1,40}$/;

/** The answer to one request, with the assertions that nearly every check starts from. */
export class Answer<Op extends OperationId> {
  readonly exchange: Exchange;
  readonly response: ExchangeResponse;

  constructor(exchange: Exchange, response: ExchangeResponse) {
    this.exchange = exchange;
    this.response = response;
  }

  get status(): number {
    return this.response.status;
  }

  /** The parsed body. Undefined if it isn't JSON. */
  get json(): unknown {
    return this.response.json;
  }

  header(name: string): string | undefined {
    return this.response.headers[name.toLowerCase()];
  }

  /** A failure is about a limit if 429 came or was expected. */
  #kindAgainst(expected: readonly unknown[]): ExpectationKind {
    return [this.status, ...expected].includes(429) ? "limit" : "value";
  }

  /** Fails the check with a statement of this answer's forbidden content. */
  fail(
    statement: string,
    compared: { expected?: unknown; actual?: unknown; kind?: ExpectationKind } = {},
  ): never {
    const { kind, ...values } = compared;
    throw this.failure(happened(statement, values), kind);
  }

  /** The failure of an answer with another status than was expected. */
  failureOfStatus(expected: number | string | readonly number[], note?: string): CheckFailure {
    return this.failure(
      { subject: this.exchange.operation, relation: "to answer", expected, actual: this.#summary(), note },
      this.#kindAgainst([expected].flat()),
    );
  }

  /** A failure of this answer: throw it. */
  failure(mismatch: Mismatch, kind?: ExpectationKind): CheckFailure {
    const { exchange } = this;
    return new CheckFailure(
      { ...mismatch, violates: exchange.violates },
      { exchange, ...(kind !== undefined && { kind }) },
    );
  }

  /**
   * The body of a 2xx with the document's type for `status`. Another 2xx with the requested content serves too. Checks
   * of the status's own clause judge it by {@link hasStatus}, and no other check is blocked.
   */
  body<S extends JsonStatus<Op>>(status: S): Body<Op, S> {
    if (!this.brings(status)) throw this.failureOfStatus(status);
    return this.#container();
  }

  /** True if it has the content of an answer with this status: a created resource needs an id. */
  brings(status: number): boolean {
    return this.status === status || (isSuccess(this) && (status !== 201 || hasId(this.json)));
  }

  /** Asserts exactly this status and ignores the body. */
  hasStatus(...statuses: readonly number[]): this {
    if (!statuses.includes(this.status))
      throw this.failureOfStatus(statuses.length === 1 ? Number(statuses[0]) : statuses);
    return this;
  }

  /** Asserts any 2xx, for operations whose status the specification leaves open. */
  succeeded(): this {
    if (!isSuccess(this)) throw this.failureOfStatus("2xx");
    return this;
  }

  /**
   * Asserts a refusal with this status and, if codes are given, one of them.
   * @param codes none if the specification leaves the code open
   */
  refused(status: number | readonly number[], ...codes: readonly string[]): Refusal {
    this.hasStatus(...[status].flat());
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
    const { json } = this.response;
    if (isJsonContainer<Body<Op, S>>(json)) return json;
    throw this.failure({
      subject: `the body of the ${this.status} answer to ${this.exchange.operation}`,
      relation: "to be",
      expected: described("a JSON object or list"),
      actual: this.response.text.slice(0, 200),
    });
  }

  /** The status, with the code of an error that has one. */
  #summary(): string | number {
    const error = isObject(this.json) ? this.json.error : undefined;
    const code = isObject(error) ? error.code : undefined;
    return typeof code === "string" && CODE.test(code) ? `${this.status} ${code}` : this.status;
  }
}
