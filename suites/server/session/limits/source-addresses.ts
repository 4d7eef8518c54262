import { randomInt } from "node:crypto";
import { createServer } from "node:net";
import { timerMs } from "../../../core/clock.ts";
import { type Connections, openConnections } from "../../../core/http/connections.ts";
import { type HeaderProfile, HeaderProfiles } from "../../../core/http/header-profiles.ts";
import { RequestBudget } from "./request-budget.ts";
import type { NotifyOfWait } from "./wait-notices.ts";

/** The service's limits per address and minute, minus a margin for requests that the suite doesn't see. */
const ANONYMOUS_LIMIT = 280;
export const TOKEN_LIMIT = 29;
const TRACKING_LIMIT = 55;

/** The time limit of a whole response, as a multiple of the limit for one chunk. */
const TOTAL_TIMEOUT_FACTOR = 2;

/** A source address, with what is left of its limits. */
export interface SourceAddress {
  readonly connections: Connections;
  readonly localAddress: string | undefined;
  /** The time limit in milliseconds for the headers and each chunk of a response. */
  readonly answerMs: number;
  /** The time limit in milliseconds for a whole response. */
  readonly totalTimeoutMs: number;
  readonly anonymous: RequestBudget;
  readonly tokens: RequestBudget;
  readonly tracking: RequestBudget;
}

/** The time limits in milliseconds for a request's connection, headers and parts of the body. */
interface ConnectionLimits {
  readonly connectMs: number;
  readonly answerMs: number;
  /** False for a server of the suite that has no limits. */
  readonly keepsLimits: boolean;
  /** The user agent of requests. Defaults to the user agents of ordinary clients. */
  readonly userAgent?: string | undefined;
  /** The seed of the {@link HeaderProfiles}. */
  readonly seed?: number;
}

function canBind(host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", () => resolve(false));
    probe.listen(0, host, () => probe.close(() => resolve(true)));
  });
}

const isLoopback = (url: URL) =>
  url.hostname === "localhost" || url.hostname === "[::1]" || /^127\./.test(url.hostname);

const anyOfLoopback = () => `127.${randomInt(16, 255)}.${randomInt(0, 255)}.${randomInt(1, 255)}`;

/**
 * The available source addresses. For a target on loopback, any address of 127.0.0.0/8 works, so that each
 * integrator has its own limits. For any other target, there is one address.
 */
export class SourceAddresses {
  readonly #open: Connections[] = [];
  readonly #single: SourceAddress;
  readonly #styles: HeaderProfiles;
  #pairStyles: readonly [HeaderProfile, HeaderProfile] | undefined;
  /** The only source address, in each header profile. */
  readonly #inStyle = new Map<string, SourceAddress>();
  #many: boolean;

  private readonly connectionLimits: ConnectionLimits;
  private readonly waiting: NotifyOfWait;

  private constructor(patience: ConnectionLimits, waiting: NotifyOfWait, many: boolean) {
    this.connectionLimits = patience;
    this.waiting = waiting;
    this.#many = many;
    this.#styles = new HeaderProfiles(patience.seed ?? 0, patience.userAgent);
    this.#single = this.#make(undefined, this.#styles.next());
  }

  static async open(url: URL, patience: ConnectionLimits, waiting: NotifyOfWait): Promise<SourceAddresses> {
    const many = isLoopback(url) && url.hostname !== "[::1]" && (await canBind("127.83.1.1"));
    return new SourceAddresses(patience, waiting, many);
  }

  #connect(localAddress: string | undefined, style: HeaderProfile): Connections {
    const { connectMs, answerMs } = this.connectionLimits;
    const connections = openConnections({ style, connectMs, answerMs, localAddress });
    this.#open.push(connections);
    return connections;
  }

  #make(localAddress: string | undefined, style: HeaderProfile): SourceAddress {
    const connections = this.#connect(localAddress, style);
    const budget = (what: string, limit: number) =>
      new RequestBudget(
        `the target's limit for ${what}`,
        this.connectionLimits.keepsLimits ? limit : Number.POSITIVE_INFINITY,
        this.waiting,
      );
    return {
      connections,
      localAddress,
      answerMs: this.connectionLimits.answerMs,
      totalTimeoutMs: timerMs(this.connectionLimits.answerMs * TOTAL_TIMEOUT_FACTOR),
      anonymous: budget("requests without a token", ANONYMOUS_LIMIT),
      tokens: budget("new tokens", TOKEN_LIMIT),
      tracking: budget("tracking", TRACKING_LIMIT),
    };
  }

  /**
   * An unused address if there are several addresses. Otherwise, the only address with another header profile.
   * @param style the header profile. Defaults to the next profile
   */
  fresh(style: HeaderProfile = this.#styles.next()): SourceAddress {
    return this.#many ? this.#make(anyOfLoopback(), style) : this.#as(this.#single, style);
  }

  /**
   * Two unused addresses, for the test of separate counts. They have the same two header profiles in each call.
   */
  pair(): readonly [SourceAddress, SourceAddress] {
    this.#pairStyles ??= [this.#styles.next(), this.#styles.next()];
    const [one, other] = this.#pairStyles;
    return [this.#make(anyOfLoopback(), one), this.#make(anyOfLoopback(), other)];
  }

  /** The address with each header profile in turn, so that responses differ only because of the profile. */
  asEachClient(address: SourceAddress): readonly SourceAddress[] {
    return this.#styles.all.map((style) => this.#as(address, style));
  }

  /** An address with the connections of a header profile. */
  #as(address: SourceAddress, style: HeaderProfile): SourceAddress {
    const key = `${address.localAddress} ${style.userAgent} ${style.program}`;
    const known = this.#inStyle.get(key);
    if (known) return known;
    const made = { ...address, connections: this.#connect(address.localAddress, style) };
    this.#inStyle.set(key, made);
    return made;
  }

  /** The source address of requests outside checks. */
  get first(): SourceAddress {
    return this.#single;
  }

  /** True if {@link fresh} returns a separate address each time. */
  get several(): boolean {
    return this.#many;
  }

  /** Called if the target counts all addresses as one, as it does behind a proxy or port mapping. */
  useSingle(): void {
    this.#many = false;
  }

  async close(): Promise<void> {
    await Promise.all(this.#open.map((connections) => connections.close()));
  }
}
