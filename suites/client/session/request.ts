import { isDeepStrictEqual } from "node:util";
import { allOperations, type OperationId } from "../../core/contract/document.ts";
import type { Exchange } from "../../core/exchange.ts";
import { textMember } from "../../core/json.ts";

/** A request of the client's, as it came. */
export interface ClientRequest {
  /** Counted from 1 over the run. */
  readonly number: number;
  /** The client's start that it belongs to, from 1. */
  readonly round: number;
  /** Undefined for a path that the document doesn't have. */
  readonly operation: OperationId | undefined;
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  /** Header names in lower case; several values are joined with a comma. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** The parsed body, or undefined where there is none or it isn't JSON. */
  readonly json: unknown;
  /** What stands after `Bearer` in the Authorization header. */
  readonly token: string | undefined;
  /** Whether its connection had carried another request before. */
  readonly connectionReused: boolean;
  /** Milliseconds on a clock that never goes back. */
  readonly arrivedAt: number;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
}

/** The same with its end: what the client got, or how the connection ended. */
export interface RecordedRequest extends ClientRequest {
  /** Undefined while it is under way. */
  completion: Completion | undefined;
  /** The sandbox's doing, in words; undefined where the service itself answered. */
  fault: string | undefined;
  /** The status that the service itself gave, whether the client got it or not; undefined where it never saw it. */
  servedStatus: number | undefined;
}

/** How a request ends that the client gave up. */
export const CLOSED_BY_CLIENT = "the client closed the connection";

export interface Completion {
  /** Milliseconds on the clock of `arrivedAt`. */
  readonly at: number;
  readonly response: Exchange["response"];
  /** Why no answer went out whole. */
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

/** The operation that a request is for. */
export const operationAt = (method: string, path: string): OperationId | undefined =>
  routes.find((route) => route.method === method && route.pattern.test(path))?.id;

/** What went over the wire, as reports show it; undefined for a path that the document doesn't have. */
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

/** The token that an answer of the token endpoint grants. */
export const grantedToken = ({ operation, completion }: RecordedRequest): string | undefined =>
  operation === "obtainToken" && completion?.response?.status === 200
    ? textMember(completion.response.json, "access_token")
    : undefined;
