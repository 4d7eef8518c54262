import type { HeaderProfile } from "./header-profiles.ts";

/** An HTTP client with its own connections. */
export interface HttpClient {
  send(url: string, request: OutgoingHttp): Promise<IncomingHttp>;
  close(): Promise<unknown>;
}

export interface OutgoingHttp {
  readonly method: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | null;
  /** True to open a new connection. */
  readonly fresh: boolean;
  /** The time limit for the headers, and for each part of the body. Defaults to the client's. */
  readonly answerMs: number | undefined;
  readonly signal: AbortSignal;
}

export interface IncomingHttp {
  readonly status: number;
  /** Names in lower case. A header that came several times has a list. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The body as sent, with its content coding. */
  readonly body: AsyncIterable<Uint8Array>;
}

export interface ProgramOptions {
  readonly style: HeaderProfile;
  /** Time limit for establishing a connection, milliseconds. */
  readonly connectMs: number;
  readonly answerMs: number;
  /** The local source address; undefined to let the system choose. */
  readonly localAddress: string | undefined;
}

/** The maximum number of concurrent connections to a target. */
export const MAX_CONNECTIONS = 32;
