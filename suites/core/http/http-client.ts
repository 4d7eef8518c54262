import type { HeaderProfile } from "./header-profiles.ts";

/** Sends requests over its own connections. */
export interface HttpClient {
  send(url: string, request: OutgoingHttp): Promise<IncomingHttp>;
  /** Ends the requests under way. */
  close(): Promise<unknown>;
}

export interface OutgoingHttp {
  readonly method: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | null;
  /** True if the request takes a new connection. */
  readonly fresh: boolean;
  /** Time limit for the headers, and for each part of the body; the client's own by default. */
  readonly answerMs: number | undefined;
  readonly signal: AbortSignal;
}

export interface IncomingHttp {
  readonly status: number;
  /** Names in lower case. A header that came several times has a list. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** As it was sent: the content coding still on. */
  readonly body: AsyncIterable<Uint8Array>;
}

export interface ProgramOptions {
  readonly style: HeaderProfile;
  /** Time limit for establishing a connection, milliseconds. */
  readonly connectMs: number;
  readonly answerMs: number;
  /** Source address of connections. If undefined, the system chooses. */
  readonly localAddress: string | undefined;
}

/** Connections to one target at a time. */
export const MOST_CONNECTIONS = 32;
