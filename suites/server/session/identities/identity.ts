import type { Exchange } from "../../../core/exchange.ts";
import { CheckSkipped } from "../../../core/grading/failures/failure.ts";
import type { HeaderProfile } from "../../../core/http/header-profiles.ts";
import { isSuccess } from "../../../core/responses.ts";
import type { Redactor } from "../../../core/text/redact.ts";
import { CreatedResources } from "../created-resources.ts";
import { Api, type CallOptions } from "../http/api.ts";
import type { ApiResponse } from "../http/api-response.ts";
import type { Transport } from "../http/transport.ts";
import { RequestBudget } from "../limits/request-budget.ts";
import type { SourceAddress, SourceAddresses } from "../limits/source-addresses.ts";
import type { NotifyOfWait } from "../limits/wait-notices.ts";
import { IntegratorClock } from "./integrator-clock.ts";
import type { SignInCircuitBreaker } from "./sign-in.ts";

export interface Credentials {
  readonly client_id: string;
  readonly client_secret: string;
}

/**
 * The service's limit is 1,200 requests per integrator and minute. The margin allows for requests that the
 * suite doesn't count.
 */
export const INTEGRATOR_LIMIT = 1150;
/** A token is valid for 1,800 s. It is renewed when less than this time is left. */
const RENEWAL_MS = 120_000;
const MAX_REFUSALS = 3;

export interface IdentityOptions {
  readonly transport: Transport;
  readonly baseUrl: string;
  readonly addresses: SourceAddresses;
  readonly redact: Redactor;
  readonly waiting: NotifyOfWait;
  readonly signIn: SignInCircuitBreaker;
}

/** Gets a token for an integrator without the token endpoint. */
export type TokenIssuer = () => Promise<{ readonly access_token: string; readonly expires_in: number }>;

interface IssuedToken {
  readonly value: string;
  /** The expiry on the integrator's clock, as Unix time in milliseconds. */
  readonly expiresAt: number;
}

/** An integrator that checks use in turn, with its own limits, clock and record of created objects. */
export class Identity {
  readonly budget: RequestBudget;
  readonly clock = new IntegratorClock();
  readonly created = new CreatedResources();
  #address: SourceAddress;
  readonly #client: HeaderProfile | undefined;
  #token: Promise<IssuedToken> | undefined;
  #currentToken: IssuedToken | undefined;
  readonly #tokens = new Set<string>();
  /** Tokens that the target has accepted at least once. */
  readonly #accepted = new Set<string>();
  /** The number of pending token requests. A new token may invalidate an earlier token (OPEN-100). */
  #pendingTokenRequests = 0;
  #refusals = 0;
  /** True if no other check can use the integrator: it is closed, at its limit, or still has endpoints of a check. */
  isRetired = false;

  readonly credentials: Credentials;
  private readonly deps: IdentityOptions;
  /** Undefined for an integrator that always uses the token endpoint. */
  readonly #tokenIssuer: TokenIssuer | undefined;
  #avoidsIssuedTokens = false;
  readonly #isOpen: () => boolean;
  #isAccepted = false;

  /**
   * @param own the integrator's token source and header profile, and whether the control interface created it
   * and hasn't closed it
   */
  constructor(
    credentials: Credentials,
    deps: IdentityOptions,
    {
      issueToken,
      client,
      isOpen = () => false,
    }: {
      readonly issueToken?: TokenIssuer | undefined;
      readonly client?: HeaderProfile | undefined;
      readonly isOpen?: (() => boolean) | undefined;
    } = {},
  ) {
    this.credentials = credentials;
    this.#tokenIssuer = issueToken;
    this.#isOpen = isOpen;
    this.deps = deps;
    this.budget = new RequestBudget("the target's limit per integrator", INTEGRATOR_LIMIT, deps.waiting);
    deps.redact.add(credentials.client_secret);
    this.#client = client;
    this.#address = deps.addresses.fresh(client);
  }

  /** The integrator's time at the target, as Unix time in milliseconds. */
  now(): number {
    return this.clock.now();
  }

  /** True if a check can use the integrator without waiting for its limit. */
  get hasCapacity(): boolean {
    return this.budget.left > INTEGRATOR_LIMIT / 2;
  }

  /**
   * True while the integrator is at its limit, for checks that exhaust limits. The integrator must have a
   * store, because the service would refuse to link one.
   */
  get isAtLimit(): boolean {
    return this.budget.left <= 0 && this.created.stores.size > 0;
  }

  /**
   * The access token, reused for its lifetime as the specification requires. If the target issues no token, the
   * suite stops requesting tokens after a few attempts, and every check of this integrator fails with the last
   * response.
   */
  async token(): Promise<string> {
    const held = this.#token;
    const current = await held?.catch((error: unknown) => {
      if (this.#refusals >= MAX_REFUSALS) throw error;
    });
    if (current && this.#isFresh(current)) return current.value;
    if (this.#token === held) this.#token = this.#renewToken();
    const renewed = this.#token ?? this.#renewToken();
    return (await renewed).value;
  }

  get #issueToken(): TokenIssuer | undefined {
    return this.#avoidsIssuedTokens ? undefined : this.#tokenIssuer;
  }

  useTokenEndpoint(): void {
    if (this.usesTokenEndpoint) return;
    this.#avoidsIssuedTokens = true;
    this.discardToken();
  }

  /**
   * Uses tokens from the control interface again in later checks, because these tokens count towards no limit.
   */
  useIssuedTokens(): void {
    this.#avoidsIssuedTokens = false;
  }

  /** True if the integrator's tokens count towards the limit of its address. */
  get usesTokenEndpoint(): boolean {
    return this.#issueToken === undefined;
  }

  /** True if the target issued the token to this integrator. */
  hasIssued = (token: string): boolean => this.#tokens.has(token);

  /** Makes the next request obtain a new token. */
  discardToken(): void {
    this.#token = undefined;
  }

  #isFresh({ expiresAt }: IssuedToken): boolean {
    return expiresAt - this.now() > RENEWAL_MS;
  }

  /** The current token, if it remains valid for a while. */
  get freshToken(): string | undefined {
    return this.hasFreshToken ? this.#currentToken?.value : undefined;
  }

  /** The latest token, until its expiry. The target may have invalidated it earlier. */
  get validToken(): string | undefined {
    const held = this.#currentToken;
    return held !== undefined && held.expiresAt > this.now() ? held.value : undefined;
  }

  /** True if the current token remains valid for a while. */
  get hasFreshToken(): boolean {
    return this.#currentToken !== undefined && this.#isFresh(this.#currentToken);
  }

  /**
   * Obtains a token and uses it from now on. The target may invalidate the earlier token (OPEN-100).
   * @param anonymous the client that sends the request. Defaults to the integrator's own
   */
  async obtainToken(
    anonymous = this.anonymous(() => {}),
    options?: CallOptions,
  ): Promise<ApiResponse<"obtainToken">> {
    const { answer, token } = await this.#requestToken(anonymous, options);
    if (token) this.#token = Promise.resolve(token);
    return answer;
  }

  /**
   * Another valid token. Later requests use this token.
   * @param obtain requests a token from the token endpoint
   */
  async anotherToken(obtain: () => Promise<ApiResponse<"obtainToken">>): Promise<string> {
    if (this.#issueToken === undefined) return (await obtain()).body(200).access_token;
    const token = await this.#issued(this.#issueToken);
    this.#token = Promise.resolve(token);
    return token.value;
  }

  async #issued(issueToken: TokenIssuer): Promise<IssuedToken> {
    const askedAt = this.now();
    return this.#keep(await this.#whileAsking(issueToken), askedAt);
  }

  async #whileAsking<T>(ask: () => Promise<T>): Promise<T> {
    this.#pendingTokenRequests += 1;
    try {
      return await ask();
    } finally {
      this.#pendingTokenRequests -= 1;
    }
  }

  async #renewToken(): Promise<IssuedToken> {
    if (this.#issueToken !== undefined) return this.#issued(this.#issueToken);
    return this.deps.signIn.run(async () => {
      const { answer, token } = await this.#requestToken(this.anonymous(() => {}));
      this.#refusals += 1;
      if (!token) {
        answer.body(200);
        return answer.fail("obtainToken returned no access_token");
      }
      this.#refusals = 0;
      return token;
    });
  }

  async #requestToken(
    anonymous: Api,
    options?: CallOptions,
  ): Promise<{ readonly answer: ApiResponse<"obtainToken">; readonly token: IssuedToken | undefined }> {
    const askedAt = this.now();
    const body = { grant_type: "client_credentials", ...this.credentials } as const;
    const answer = await this.#whileAsking(() => anonymous.call("obtainToken", { body }, options));
    if (answer.status === 401 && !this.#isAccepted && this.#isOpen()) {
      throw new CheckSkipped(
        "the control interface's createIntegrator returned credentials that the token endpoint refuses with 401",
      );
    }
    if (answer.status !== 200) return { answer, token: undefined };
    this.#isAccepted = true;
    const { access_token, expires_in } = answer.body(200);
    if (typeof access_token !== "string") return { answer, token: undefined };
    return { answer, token: this.#keep({ access_token, expires_in }, askedAt) };
  }

  #keep({ access_token, expires_in }: Awaited<ReturnType<TokenIssuer>>, askedAt: number): IssuedToken {
    this.deps.redact.learn(access_token);
    this.#tokens.add(access_token);
    this.#currentToken = { value: access_token, expiresAt: askedAt + expires_in * 1000 };
    return this.#currentToken;
  }

  /**
   * The source address of the integrator's requests. If there are several addresses, the address changes when
   * its tokens for the minute are used up.
   */
  get address(): SourceAddress {
    if (this.deps.addresses.several && this.#address.tokens.left <= 0) {
      this.#address = this.deps.addresses.fresh(this.#client);
    }
    return this.#address;
  }

  /**
   * Returns a function that returns false if the token may have become invalid since the call: the integrator's
   * clock was advanced, or a new token was obtained.
   */
  #watchToken(token: string): () => boolean {
    const wasAccepted = this.#accepted.has(token);
    const { offsetMs } = this.clock;
    return () =>
      wasAccepted &&
      token === this.freshToken &&
      this.#pendingTokenRequests === 0 &&
      !this.isRetired &&
      !this.clock.isMoving &&
      this.clock.offsetMs === offsetMs &&
      this.deps.transport.outages === 0;
  }

  #noteAccepted({ requestHeaders, response }: Exchange): void {
    const token = this.freshToken;
    if (
      token !== undefined &&
      response &&
      isSuccess(response) &&
      requestHeaders.authorization === `Bearer ${token}`
    )
      this.#accepted.add(token);
  }

  /** The API of this integrator. `record` is called with each exchange. */
  api(record: (exchange: Exchange) => void): Api {
    const { transport, baseUrl } = this.deps;
    const { budget, created } = this;
    return new Api({
      transport,
      baseUrl,
      address: () => this.address,
      record: (exchange) => {
        this.#noteAccepted(exchange);
        record(exchange);
      },
      budget,
      created,
      clockOffsetMs: () => this.clock.offsetMs,
      token: () => this.token(),
      watchToken: (token) => this.#watchToken(token),
    });
  }

  /** The API without credentials, from this integrator's address. */
  anonymous(record: (exchange: Exchange) => void): Api {
    const { transport, baseUrl } = this.deps;
    return new Api({ transport, baseUrl, address: () => this.address, record });
  }
}
