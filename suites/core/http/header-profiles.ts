import { randomBytes } from "node:crypto";

/**
 * The headers of an ordinary API client: its user agent, accepted codings, and the order and spelling of its
 * headers. Without profiles, a target could recognise the suite and behave differently.
 */
export interface HeaderProfile {
  readonly userAgent: string;
  /** The HTTP client. undici and node:http share no code, so a target can't recognise the suite by its client. */
  readonly program: "undici" | "node:http";
  /** Header names in order, as spelt; `*` marks the place of all other headers. */
  readonly order: readonly string[];
  /** Headers that each request has. */
  readonly fixed: Readonly<Record<string, string>>;
  /** Spelling and order of all other headers. */
  readonly others: "as given" | "capitalised" | "capitalised and sorted";
  /** True if each request has a trace id (W3C Trace Context), for searching the target's logs. */
  readonly traced?: boolean;
}

/** Node's own fetch. undici writes host and connection itself, before all others, and the length after them. */
export const FETCH_PROFILE: HeaderProfile = {
  userAgent: "node",
  program: "undici",
  order: ["*", "accept-language", "sec-fetch-mode", "user-agent", "accept-encoding"],
  fixed: { "accept-language": "*", "sec-fetch-mode": "cors", "accept-encoding": "gzip, deflate" },
  others: "as given",
};

export const PLAIN_STYLES: readonly HeaderProfile[] = [
  {
    userAgent: "Go-http-client/1.1",
    program: "node:http",
    order: ["Host", "User-Agent", "Content-Length", "*", "Accept-Encoding"],
    fixed: { "Accept-Encoding": "gzip" },
    others: "capitalised and sorted",
  },
  {
    userAgent: "python-requests/2.32.5",
    program: "node:http",
    order: ["Host", "User-Agent", "Accept-Encoding", "Accept", "Connection", "*", "Content-Length"],
    fixed: { "Accept-Encoding": "gzip, deflate", Connection: "keep-alive" },
    others: "capitalised",
  },
  {
    userAgent: "okhttp/4.12.0",
    program: "node:http",
    order: ["*", "Content-Length", "Host", "Connection", "Accept-Encoding", "User-Agent"],
    fixed: { Connection: "Keep-Alive", "Accept-Encoding": "gzip" },
    others: "capitalised",
  },
  {
    userAgent: "GuzzleHttp/7",
    program: "node:http",
    order: ["Host", "User-Agent", "*", "Content-Length"],
    fixed: {},
    others: "capitalised",
  },
  {
    userAgent: "RestSharp/112.1.0.0",
    program: "node:http",
    order: [
      ...["Host", "Authorization", "Accept", "User-Agent", "Accept-Encoding"],
      ...["*", "Content-Type", "Content-Length"],
    ],
    fixed: { "Accept-Encoding": "gzip, deflate, br" },
    others: "capitalised",
  },
  {
    userAgent: "Apache-HttpClient/5.5 (Java/21.0.8)",
    program: "node:http",
    order: [
      ...["Accept-Encoding", "*", "Content-Length", "Content-Type", "Host", "Connection", "User-Agent"],
    ],
    fixed: { "Accept-Encoding": "gzip, x-gzip, deflate", Connection: "keep-alive" },
    others: "capitalised",
  },
  {
    userAgent: "Dart/3.9 (dart:io)",
    program: "node:http",
    order: ["user-agent", "*", "accept-encoding", "content-length", "host"],
    fixed: { "accept-encoding": "gzip" },
    others: "as given",
  },
];

/** A profile with this user agent and with trace ids. Unchanged without a user agent. */
export const withUserAgent = (style: HeaderProfile, userAgent: string | undefined): HeaderProfile =>
  userAgent === undefined ? style : { ...style, userAgent, traced: true };

/** A `traceparent` with a new trace id. */
const newTrace = (): string => `00-${randomBytes(16).toString("hex")}-${randomBytes(8).toString("hex")}-01`;

/** Adds a new trace to headers, if the profile has one. */
export const withTrace = (
  { traced = false }: HeaderProfile,
  headers: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> => (traced ? { ...headers, traceparent: newTrace() } : headers);

/** Assigns header profiles to the suite's clients in turn. Every second client uses node:http. */
export class HeaderProfiles {
  #next: number;
  private readonly userAgent: string | undefined;

  /**
   * @param seed start of the sequence
   * @param userAgent the user agent of all requests, instead of those of ordinary clients
   */
  constructor(seed: number, userAgent?: string) {
    this.#next = Math.abs(Math.trunc(seed)) % (2 * PLAIN_STYLES.length);
    this.userAgent = userAgent;
  }

  next(): HeaderProfile {
    const position = this.#next;
    this.#next += 1;
    const plain = PLAIN_STYLES[Math.floor(position / 2) % PLAIN_STYLES.length];
    return withUserAgent(position % 2 === 0 || !plain ? FETCH_PROFILE : plain, this.userAgent);
  }

  /** Node's fetch and all other profiles. */
  get all(): readonly HeaderProfile[] {
    return [FETCH_PROFILE, ...PLAIN_STYLES].map((style) => withUserAgent(style, this.userAgent));
  }
}

const capitalised = (name: string): string =>
  name.replaceAll(/(^|-)([a-z])/g, (_, before: string, letter: string) => `${before}${letter.toUpperCase()}`);

/**
 * The headers of a request, in order.
 * @param given names in lower case; they override the profile's values
 */
export function headersIn(
  { userAgent, order, fixed, others }: HeaderProfile,
  given: Readonly<Record<string, string>>,
): readonly (readonly [name: string, value: string])[] {
  const ordered = new Map(order.map((name) => [name.toLowerCase(), name]));
  const rest = Object.entries(given).filter(([name]) => !ordered.has(name.toLowerCase()));
  const written = rest.map(
    ([name, value]) => [others === "as given" ? name : capitalised(name), value] as const,
  );
  if (others === "capitalised and sorted") written.sort(([a], [b]) => (a < b ? -1 : 1));
  return order.flatMap((name) => {
    if (name === "*") return written;
    const lower = name.toLowerCase();
    const value = given[lower] ?? (lower === "user-agent" ? userAgent : fixed[name]);
    return value === undefined ? [] : [[name, value] as const];
  });
}
