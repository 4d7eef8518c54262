import { isDeepStrictEqual } from "node:util";
import { allOperations, type OperationId } from "../../core/contract/document.ts";
import type { Exchange } from "../../core/exchange.ts";
import { textMember } from "../../core/json.ts";

/** A received request of the client. */
export interface ClientRequest {
  /** The request's number in the run, counted from 1. */
  readonly number: number;
  /** The number of the client start that sent the request, counted from 1. */
  readonly startNumber: number;
  /** The operation; undefined for a path that the document doesn't define. */
  readonly operation: OperationId | undefined;
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  /** The headers by name in lower case. The values of a repeated header are joined with a comma. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** The parsed body; undefined without a body, or if the body isn't JSON. */
  readonly json: unknown;
  /** The bearer token in the Authorization header. */
  readonly token: string | undefined;
  /** True if the connection had carried an earlier request. */
  readonly connectionReused: boolean;
  /** Milliseconds on a monotonic clock. */
  readonly arrivedAt: number;
  /** Unix time in milliseconds. */
  readonly startedAt: number;
}

/** A request and its end: the response, or how the connection ended. */
export interface RecordedRequest extends ClientRequest {
  /** The end of the request. Undefined while the request is in progress. */
  completion: Completion | undefined;
  /** The injected fault in words. Undefined if the client got the service's response. */
  fault: string | undefined;
  /**
   * The status of the service's response, even if the client didn't receive the response. Undefined if the
   * request didn't reach the service.
   */
  servedStatus: number | undefined;
}

/** The end of a request that the client abandoned. */
export const CLOSED_BY_CLIENT = "the client closed the connection";

export interface Completion {
  /** Milliseconds on the clock of `arrivedAt`. */
  readonly at: number;
  readonly response: Exchange["response"];
  /** Why the response is incomplete. */
  readonly failure: string | undefined;
}

export const sameJson = (one: ClientRequest, other: ClientRequest): boolean =>
  one.json === undefined && other.json === undefined
    ? one.body.equals(other.body)
    : isDeepStrictEqual(one.json, other.json);

const routes = allOperations.map(({ id, method, path }) => ({
  id,
  method,
  pattern: new RegExp(`^${path.replaceAll(/\{[^}]+\}/g, "[^/]+")}$`),
}));

/** The operation of a request. */
export const operationAt = (method: string, path: string): OperationId | undefined =>
  routes.find((route) => route.method === method && route.pattern.test(path))?.id;

/** A request as an exchange for reports; undefined for an undocumented path. */
export function exchangeOf(seen: RecordedRequest, baseUrl: string): Exchange | undefined {
  const { operation, completion, query } = seen;
  if (operation === undefined) return undefined;
  const asked = query.toString();
  return {
    operation,
    method: seen.method,
    url: `${baseUrl}${seen.path}${asked === "" ? "" : `?${asked}`}`,
    requestHeaders: seen.headers,
    requestBody: seen.body.length > 0 ? seen.body.toString() : undefined,
    startedAt: seen.startedAt,
    durationMs: (completion?.at ?? seen.arrivedAt) - seen.arrivedAt,
    response: completion?.response,
    failure: completion === undefined ? "the run ended first" : completion.failure,
    violates: undefined,
  };
}

/** The token in a token endpoint's response. */
export const grantedToken = ({ operation, completion }: RecordedRequest): string | undefined =>
  operation === "obtainToken" && completion?.response?.status === 200
    ? textMember(completion.response.json, "access_token")
    : undefined;
